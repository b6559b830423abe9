"""What everyday matters are called in English and Turkish, so that question and book meet. Pure, literal data.

A concept has English words (compared by stem) and Turkish stems (a word begins with one and is at most
`TAIL` letters longer); `a+b` is a phrase whose words stand in a row. Both tables are tried on every text: a
household writes in one language and may ask in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from twin.reading.english import one_slip, stem
from twin.reading.tokens import plain, tokenise, typed

TAIL = 9
LONG = 6  # letters from which on one slip of the finger is forgiven


@dataclass(frozen=True)
class Concept:
    """One matter: its words, the body system it belongs to, and whether naming it narrows a question."""

    en: tuple[str, ...]
    tr: tuple[str, ...]
    category: str = ""
    is_place: bool = False


def _of(en: str, tr: str, category: str = "", *, is_place: bool = False) -> Concept:
    return Concept(tuple(en.split()), tuple(tr.split()), category, is_place)


def _place(en: str, tr: str) -> Concept:
    return _of(en, tr, is_place=True)


CONCEPTS: Mapping[str, Concept] = {
    # where and when
    "supermarket": _place(
        "supermarket grocery groceries till checkout trolley aisle cashier",
        "supermarket market bakkal kasada kasa+sira kasiyer",
    ),
    "shop": _place(
        "shop shopping store mall shopping+centre shopping+center", "alisveris magaza dukkan avm"
    ),
    "street_market": _place(
        "street+market bazaar farmers+market market+stall", "pazarda pazara pazar+yer semt+pazar"
    ),
    "bedtime": _place(
        "bedtime bed+time going+to+bed go+to+bed goes+to+bed to+bed in+bed into+bed fall+asleep falling+asleep"
        " falls+asleep lights+out settle+at+night evening+routine night+routine nighttime+routine"
        " settling+down+at+night get+him+to+sleep get+her+to+sleep putting+him+down getting+to+sleep"
        " night-time tuck+in wind+down",
        "uyku+vakt uyku+saat uyku+zaman uyku+oncesi uyku+rutin yatma+saat yatma+vakt yatis yatarken yatmadan"
        " yatmaya yatmak yatagina yataga yatakta yatirirken yatirma uyutma uyuturken uyutmak uyuturuz"
        " uykuya gece+rutin aksam+rutin uyumadan uyutmay yatirmak uykuya+dal",
    ),
    "school": _place(
        "school classroom class kindergarten nursery preschool lesson teacher substitute",
        "okul sinif anaokul kres ogretmen derste vekil",
    ),
    "hairdresser": _place(
        "hairdresser haircut barber clippers hair+cut cut+his+hair cut+her+hair salon",
        "kuafor berber sac+kes sacini+kes sac+tiras sac+makine saclarini",
    ),
    "car": _place("car driving drive seatbelt car+seat road", "araba otomobil arac arabada yolculuk yolda"),
    "party": _place("party parties birthday balloon", "parti dogum+gun balon"),
    "guests": _place(
        "guest visitor cousin relative company people+over people+come visiting",
        "misafir konuk kuzen akraba ziyaretci ziyaret",
    ),
    "grandparents": _place(
        "grandmother grandma granny gran nana grandfather grandpa grandparent",
        "buyukanne babaanne anneanne ninesi nine+ dedesi dedey buyukbaba",
    ),
    "outing": _place(
        "outing museum planetarium excursion trip day+out days+out going+out go+out out+and+about zoo",
        "gezi muze planetaryum gezmeye disari+cik geziler dolasma hayvanat",
    ),
    "playground": _place("playground park swing slide", "parkta parka park oyun+alan salincak kaydirak parki"),
    "transition": _place(
        "transition change+of+plan plan+change plans+change changed+plan cancelled cancel canceled surprise"
        " unexpected last+minute change+in+routine changes+in+routine routine+change sudden+change"
        " suddenly+change unplanned things+change something+change stop+playing change+of+plans",
        "plan+degis planlar+degis iptal beklenmedik son+anda rutin+degis duzen+degis degisiklik gecis"
        " plani+degis program+degis ani+degis",
    ),
    "waiting": _place("queue queuing waiting wait+in+line standing+in+line line+up", "sirada kuyruk beklerken sira+bekle"),
    "noise": _place(
        "noise noisy loud loudspeaker dryer sound+sensitive loud+sounds",
        "gurultu gurultulu hoparlor yuksek+ses kurutma sesli",
    ),
    "crowd": _place("crowd crowded busy+place", "kalabalik"),
    "shoes": _place("shoe shoes dressed dressing clothes socks putting+on", "ayakkabi giyin giyim kiyafet corap"),
    "bath": _place("bath bathing shower bathtub", "banyo dus+ banyosu"),
    "homework": _place("homework maths math reading+practice", "odev matematik"),
    "screen": _place("screen tablet tv television ipad cartoon phone+time", "ekran televizyon cizgi+film"),
    "dentist": _place("dentist", "disci dis+hekim"),
    "swimming": _place("swimming swim pool", "yuzme havuz"),
    "toilet": _place("toilet potty nappy diaper bedwetting wet+the+bed", "tuvalet lazimlik alt+islat altini+islat bez"),
    "plane": _place("airplane aeroplane plane flight airport flying", "ucak havaalan ucus"),
    "train": _place("train railway", "tren+"),
    "bus": _place("bus minibus", "otobus dolmus servis"),
    "storm": _place("storm thunder thunderstorm firework fireworks", "firtina gok+gurultu havai+fisek simsek"),
    "beach": _place("beach sea seaside holiday vacation", "plaj denize tatil"),
    "restaurant": _place("restaurant cafe", "restoran lokanta kafede"),
    "hospital": _place("hospital", "hastane"),
    "rain": _place("rain rainy", "yagmur"),
    # who
    "vet": _of("vet veterinarian veterinary clinic", "veteriner vete klinig"),
    "doctor": _of("doctor paediatrician pediatrician gp", "doktor hekim cocuk+dokt"),
    "therapist": _of("therapist therapy ot speech+therap occupational+therap psychologist", "terapist terapi psikolog ergoterap dil+terap"),
    # how somebody behaves
    "meltdown": _of(
        "meltdown tantrum outburst melt+down melted+down melting+down melts+down fit screaming lost+it loses+it"
        " lose+it losing+it freaked freaks explode exploded explosion kicked+off kicks+off blow+up blew+up"
        " flipped+out crisis crises breakdown breakdowns broke+down+crying upset overload shutdown"
        " threw+himself throws+himself hysterical screams screamed",
        "kriz krizi ofke+nobet sinir+kriz cigli ciglik bagir cildir kendini+yere aglama+kriz patlama ofkelen"
        " krize delirdi kontrolden kendinden kendini+kaybet tepin bagirip coktu",
        "behaviour",
    ),
    "hitting": _of("hit hitting bite biting kick kicking aggressive aggression pinch scratch+people", "vurdu vuruyor vurma vurup vurur isirdi isirma isiriyor+bizi tekme saldir", "behaviour"),
    "crying": _of("cry crying cries cried tears", "aglad agliy aglam aglar agliyor", "behaviour"),
    "hiding": _of("hide hiding hid hides", "saklan", "behaviour"),
    "running_away": _of("run+away ran+away runs+away elope eloping bolt bolted runs+off ran+off", "kacti kaciy kacma evden+kac", "behaviour"),
    "anxiety": _of("anxious anxiety worried nervous afraid scared fear frightened", "kaygi endise korkuyor korktu korkar korku tedirgin", "behaviour"),
    "mood": _of("mood happy cheerful sad", "keyfi keyif ruh+hal mutlu neseli morali", "behaviour"),
    "speech": _of("speech talk talking speak speaking words+in+a+row new+word language vocabulary sentence", "konus kelime sozcuk cumle dil+gelisim", "behaviour"),
    "behaviour": _of("behaviour behavior behaving behave", "davran", "behaviour"),
    # the body
    "sleep": _of(
        "sleep sleeping slept asleep night+waking nightmare insomnia awake nap wake woke wakes waking nights sleeps",
        "uyku uyuyor uyudu uyumu uyur uyuma uyan kabus gece+kalk uyus uyanm",
        "sleep",
    ),
    "ears": _of("ear ears", "kulak kulag kulaklari", "ears"),
    "eyes": _of("eye eyes", "gozu gozle gozun gozunde gozlerin goz+ goze", "eyes"),
    "limp": _of(
        "limp limping limped limps lame leg legs paw hind favour favoured favouring hobble hobbling walking+funny"
        " joint joints lameness",
        "topal aksa aksiyor bacag bacak patisi pati+ patisin eklem yuruyem",
        "musculoskeletal",
    ),
    "vomit": _of("vomit vomiting vomited throw+up threw+up throwing+up thrown+up puke puking sick+up brought+up being+sick been+sick was+sick tummy stomach hairball foam", "kusma kustu kusuyor kusmu kusmas kusar mide midesi cikard ogur kusmus", "upper_digestive"),
    "stool": _of("stool poo poop pooing diarrhoea diarrhea bowel constipated constipation runs loose+stool", "ishal kaka kakasi diski kabiz bagirsak", "lower_digestive"),
    "appetite": _of("appetite eat eating eaten ate eats feeding food+intake off+her+food off+his+food hungry", "istah yemek+yiy yiyor yedi yemiyor yemesi beslen yemegini yemeye", "appetite_intake"),
    "food": _of("food kibble new+food lamb chicken diet change+food switch+food switched+food changing+food changing+his+food bowl", "mama mamasi mamaya yiyecek diyet mamay kuzulu tavuklu besin"),
    "drinking": _of("drink drinking drank water thirst thirsty drinks", "su+ic suyunu icme susa su+tuket", "thirst_hydration"),
    "weight": _of("weight weigh weighs heavy heavier fat thin gained+weight lost+weight kg kilos gaining losing+weight put+on+weight", "kilo kilosu agirlig tarti tartil zayif sisman", "metabolic_weight"),
    "skin": _of("skin itch itching itchy rash coat fur flea fleas tick ticks scratching+himself scratching+herself bald", "deri deris tuyu tuyler dokuntu pire kene kasinti kasiniyor kurdesen", "skin_coat"),
    "breathing": _of("cough coughing sneeze sneezing sneezed sneezes cold runny nose snot breathing breath wheeze flu", "oksur hapsir nezle burnu grip soguk+algin nefes burun", "respiratory"),
    "fever": _of("fever temperature feverish", "ates+ atesi atesli atesle", "whole_body"),
    "energy": _of("energy lethargic tired lively listless", "enerji halsiz yorgun", "whole_body"),
    "pain": _of("pain painful hurt hurting sore", "agri agrisi aciyor aci+ caniyan cani+yan", "whole_body"),
    "teeth": _of("tooth teeth gum gums dental", "disi+ disler disleri dis+eti disin", "oral_dental"),
    "seizure": _of("seizure seizures epilepsy fit+of+epilepsy convulsion", "epilepsi havale nobet+gecir sara+ epileptik", "neurological"),
    "urine": _of("pee peeing urine urinate wee", "cis+ cisi idrar", "urinary"),
    "heart": _of("heart", "kalbi kalp", "cardiovascular"),
    "allergy": _of("allergy allergic allergies", "alerji", "blood_immune"),
    "stress": _of("sensory overstimulated overwhelmed overloaded", "duyusal asiri+uyar", "behaviour"),
    # care
    "drops": _of("drop drops ear+drops eardrops", "damla"),
    "melatonin": _of("melatonin", "melatonin"),
    "tablet_medicine": _of("pill pills antibiotic antibiotics painkiller tablets syrup ibuprofen paracetamol", "hap+ haplar antibiyotik agri+kes surup"),
    "vaccine": _of("vaccine vaccination vaccinated jab jabs booster shots", "asi+ asisi asilar asilari"),
    "surgery": _of("surgery operation anaesthetic stitches", "ameliyat narkoz dikis"),
    "blood_test": _of("blood+test bloods lab+result x-ray xray scan ultrasound", "kan+tahlil tahlil rontgen ultrason"),
    "walk": _of("walk walks walking+him lead leash", "yuruyus tasma gezdir"),
    "towel": _of("towel", "havlu"),
    "treat": _of("treat treats", "odul+mama odul"),
    "nails": _of("claws claw nail nails grooming brushing", "tirnag tirnak tarama taramak"),
    "headphones": _of("headphone headphones ear+defenders earmuffs", "kulaklik kulaklig"),
    "pressure": _of("deep+pressure pressure squeeze hug hugs squeezing", "derin+basinc basinc sikma sikmak sikay sarilma"),
    "picture_schedule": _of("picture+schedule visual+schedule schedule visual+timetable picture+plan pictures+of+the+day", "resimli+program resimli+takvim gorsel+program program+kart"),
    "timer": _of("timer countdown clock", "geri+sayim sayac zamanlayici geri+say"),
    "quiet_place": _of("quiet+place quiet+corner corner stairwell calm+corner", "sessiz+yer sessiz+kose gri+kose sakin+kose"),
    "story": _of("story stories social+story", "masal oyku hikaye"),
    "choices": _of("choice choices choose two+options choosing", "secenek iki+sec secim"),
    "stickers": _of("sticker stickers chart reward+chart star+chart", "cikartma odul+tablo"),
    "blanket": _of("blanket weighted", "battaniye agirlikli"),
    "first_then": _of("first-then first+then board", "once-sonra once+sonra pano"),
    "feelings_cards": _of("feelings+card feeling+card feelings+cards emotion+cards faces", "duygu+kart"),
    "thorn": _of("thorn splinter", "diken"),
}  # fmt: skip

# A question about the one may be answered by the other, for less.
NEAR: Mapping[str, Mapping[str, float]] = {
    "shop": {"supermarket": 0.8, "street_market": 0.5},
    "supermarket": {"shop": 0.3},
    "sleep": {"bedtime": 0.6},
    "bedtime": {"sleep": 0.3},
    "food": {"appetite": 0.4, "stool": 0.3},
    "playground": {"outing": 0.5},
    "noise": {"stress": 0.5, "crowd": 0.4},
    "crowd": {"noise": 0.4},
    "waiting": {"supermarket": 0.5},
    "grandparents": {"guests": 0.3},
    "guests": {"grandparents": 0.3},
    "drops": {"ears": 0.3},
    "outing": {"playground": 0.4, "party": 0.4},
    "mood": {"behaviour": 0.6},
    "behaviour": {"meltdown": 0.8, "mood": 0.6},
    "crying": {"meltdown": 0.5},
    "stress": {"meltdown": 0.5, "noise": 0.5},
    "pain": {"ears": 0.2, "limp": 0.2},
}


@dataclass(frozen=True)
class Found:
    """One concept named in a text, and the words (by number) that name it."""

    name: str
    first: int
    last: int  # exclusive


@lru_cache(maxsize=4096)
def folded(text: str) -> tuple[str, ...]:
    """The words of a text, lower case and ASCII, numbers included."""
    return tuple(plain(one.proper) if one.is_word else one.raw for one in tokenise(text) if not one.is_mark)


@cache
def _table() -> tuple[dict[str, list[tuple[str, tuple[str, ...]]]], list[tuple[str, tuple[str, ...]]]]:
    """English phrases by the stem of their first word, and every Turkish phrase."""
    english: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    turkish: list[tuple[str, tuple[str, ...]]] = []
    for name, concept in CONCEPTS.items():
        for phrase in concept.en:
            words = tuple(stem(word) for word in phrase.replace("-", "+").split("+"))
            english.setdefault(words[0], []).append((name, words))
        turkish += [(name, tuple(phrase.split("+"))) for phrase in concept.tr]
    return english, turkish


@cache
def _turkish_by_letters() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Turkish phrases by the first two letters of their first stem."""
    by_letters: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, words in _table()[1]:
        by_letters.setdefault(words[0][:2], []).append((name, words))
    return by_letters


def _begins(word: str, turkish_stem: str) -> bool:
    return word.startswith(turkish_stem) and len(word) <= len(turkish_stem) + TAIL


def _stands(words: Sequence[str], at: int, phrase: tuple[str, ...]) -> int:
    """How many words the Turkish phrase takes here, 0 where it does not stand; "x+" is x with a short tail."""
    parts = [part for part in phrase if part]
    if len(words) - at < len(parts):
        return 0
    if len(phrase) != len(parts):  # a short stem, written with a plus behind it
        return int(words[at].startswith(parts[0]) and len(words[at]) <= len(parts[0]) + 3)
    return len(parts) if all(_begins(words[at + n], part) for n, part in enumerate(parts)) else 0


@lru_cache(maxsize=4096)
def concepts_in(text: str, *, is_question: bool = False) -> tuple[Found, ...]:
    """Every concept a text names; in a question a long word with one slip of the finger counts too."""
    words = folded(text)
    stems = tuple(stem(word) for word in words)
    english, turkish = _table()[0], _turkish_by_letters()
    found: list[Found] = []
    for at, word in enumerate(words):
        before = len(found)
        for name, phrase in english.get(stems[at], ()):
            if stems[at : at + len(phrase)] == phrase:
                found.append(Found(name, at, at + len(phrase)))
        for name, phrase in turkish.get(word[:2], ()):
            if taken := _stands(words, at, phrase):
                found.append(Found(name, at, at + taken))
        if is_question and len(found) == before and len(word) >= LONG:
            found += [Found(name, at, at + 1) for name in _misspelt(word)]
    return _longest(found)


@lru_cache(maxsize=2048)
def _misspelt(word: str) -> tuple[str, ...]:
    names = []
    for name, concept in CONCEPTS.items():
        if any(_slipped(word, one) for one in concept.en) or any(
            "+" not in one and len(one) >= LONG and one_slip(word[: len(one)], one) for one in concept.tr
        ):
            names.append(name)
    return tuple(names)


def _slipped(word: str, other: str) -> bool:
    return "+" not in other and len(other) >= LONG and one_slip(stem(word), stem(other))


def _longest(found: Iterable[Found]) -> tuple[Found, ...]:
    """Without those whose words all belong to a longer phrase; each concept of a place once."""
    every = list(dict.fromkeys(found))
    return tuple(
        one
        for one in every
        if not any(
            other.first <= one.first
            and one.last <= other.last
            and other.last - other.first > one.last - one.first
            for other in every
        )
    )


def names_in(text: str) -> frozenset[str]:
    """The names of the concepts in a text of the book."""
    return frozenset(one.name for one in concepts_in(text))


def category_of(name: str) -> str:
    """The body system of a concept, empty where it is none."""
    return CONCEPTS[name].category
