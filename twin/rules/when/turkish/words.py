"""The closed Turkish vocabulary of time, folded to ASCII, and the suffixes its words take."""

from __future__ import annotations

from twin.rules.entries import Precision, Today
from twin.rules.when.shapes import Role

# Suffix -> case. Vowel harmony and consonant hardening are listed, not computed; all are folded.
SUFFIXES: dict[str, str] = {
    suffix: case
    for case, group in (
        ("nom", "|"),
        ("loc", "da|de|ta|te|nda|nde|inda|inde|unda|unde|sinda|sinde|sunda|sunde|larda|lerde|larinda|lerinde|"
         "daydi|deydi|taydi|teydi|ndaydi|ndeydi"),
        ("abl", "dan|den|tan|ten|ndan|nden|indan|inden|undan|unden|sindan|sinden|sundan|sunden|lardan|lerden|"
         "larindan|lerinden"),
        ("gen", "in|un|nin|nun|inin|sinin|sunun|unun"),
        ("poss", "i|u|si|su|yi|yu|ni|nu|sini|sunu|ini|unu"),
        ("dat", "a|e|ya|ye|na|ne|ina|ine|una|une|sina|sine|suna|sune"),
        ("ki", "ki|ku|daki|deki|taki|teki|ndaki|ndeki|indaki|indeki|undaki|undeki|sindaki|sindeki"),
        ("dir", "dir|dur|tir|tur|dirki|durki"),
        ("vaguedir", "lardir|lerdir"),
        ("plural", "lar|ler|lari|leri"),
        ("lik", "lik|luk|ligine|lugune|ligina|luguna"),
        ("likken", "likken|lukken|likdi|likti|luktu|liktan|luktan|likten|lukten"),
        ("ken", "ken|yken|dayken|deyken|tayken|teyken|indayken|indeyken|sindayken|sindeyken"),
        ("inst", "la|le|yla|yle"),
    )
    for suffix in group.split("|")
}  # fmt: skip
WEEKDAYS: dict[str, int] = {
    "pazartesi": 0, "sali": 1, "carsamba": 2, "persembe": 3, "cuma": 4, "cumartesi": 5, "pazar": 6, "pzt": 0,
    "sal": 1, "car": 2, "per": 3, "cum": 4, "cmt": 5, "paz": 6,
}  # fmt: skip
SHORT_WEEKDAYS = frozenset({"sal", "car", "per", "cum", "paz", "cmt", "pzt"})
MONTHS: dict[str, int] = {
    "ocak": 1, "ocag": 1, "subat": 2, "mart": 3, "nisan": 4, "mayis": 5, "haziran": 6, "temmuz": 7,
    "agustos": 8, "eylul": 9, "ekim": 10, "kasim": 11, "aralik": 12, "aralig": 12,
}  # fmt: skip
SHORT_MONTHS: dict[str, int] = {
    "oca": 1, "sub": 2, "mar": 3, "nis": 4, "may": 5, "haz": 6, "tem": 7, "agu": 8, "eyl": 9, "eki": 10,
    "kas": 11, "ara": 12,
}  # fmt: skip
RISKY_MONTHS = frozenset({"ocak", "ocag", "aralik", "aralig", "kasim", "ekim", "mart", "nisan", "eylul"})
SEASONS: dict[str, str] = {
    "ilkbahar": "spring", "bahar": "spring", "yaz": "summer", "sonbahar": "autumn", "guz": "autumn",
    "kis": "winter",
}  # fmt: skip
UNITS: dict[str, tuple[Precision, int, int, int]] = {
    "saniye": ("day", 0, 0, 0), "sn": ("day", 0, 0, 0), "dakika": ("day", 0, 0, 1), "dk": ("day", 0, 0, 1),
    "dakka": ("day", 0, 0, 1), "saat": ("day", 0, 0, 60), "sa": ("day", 0, 0, 60), "gun": ("day", 0, 1, 0),
    "gece": ("day", 0, 1, 0), "sabah": ("day", 0, 1, 0), "aksam": ("day", 0, 1, 0), "hafta": ("week", 0, 7,
    0), "hft": ("week", 0, 7, 0), "ay": ("month", 1, 0, 0),
    "yil": ("year", 12, 0, 0), "sene": ("year", 12, 0, 0),
}  # fmt: skip
PERIODS: dict[str, Precision] = {"hafta": "week", "ay": "month", "yil": "year", "sene": "year"}
NUMBERS: dict[str, int] = {
    "bir": 1, "bi": 1, "iki": 2, "uc": 3, "dort": 4, "bes": 5, "alti": 6, "yedi": 7, "sekiz": 8, "dokuz": 9,
    "on": 10, "yirmi": 20, "otuz": 30, "kirk": 40, "elli": 50, "altmis": 60, "yetmis": 70, "seksen": 80,
    "doksan": 90, "yuz": 100,
}  # fmt: skip
ORDINALS: dict[str, int] = {
    "ilk": 1, "birinci": 1, "ikinci": 2, "ucuncu": 3, "dorduncu": 4, "besinci": 5, "son": -1, "altinci": 6,
    "yedinci": 7, "sekizinci": 8, "dokuzuncu": 9, "onuncu": 10,
}  # fmt: skip
VAGUE_NUMBERS: tuple[tuple[str, ...], ...] = (
    ("bir", "kac"), ("bi", "kac"), ("birkac",), ("bikac",), ("bircok",), ("kac",), ("epey",), ("pek", "cok"),
)  # fmt: skip
HEDGES = frozenset({
    "yaklasik", "asagi", "yukari", "neredeyse", "en", "az", "fazla", "tam", "hemen", "asagisi", "belki",
    "sadece",
    "daha", "cok", "nerdeyse", "tami", "tamina", "asagiyukari", "tahminen", "koca", "su", "icin", "bile",
})  # fmt: skip
LASTS = frozenset({"gecen", "gectigimiz", "onceki", "gecenki", "gecmis"})
BEFORE_LASTS = frozenset({"evvelki", "evvelsi"})
NEXTS = frozenset({"gelecek", "onumuzdeki", "oteki", "obur", "bir_dahaki", "dahaki", "sonraki", "ertesi"})
PARTS: dict[str, int] = {
    "sabah": 6, "ogle": 12, "oglen": 12, "ikindi": 15, "aksam": 17, "gece": 20, "aksamustu": 17,
    "aksamuzeri": 17,
    "ogleyin": 12, "sabahleyin": 6, "geceleyin": 20, "aksamleyin": 17,
}  # fmt: skip
HOLIDAYS: dict[tuple[str, ...], str] = {
    tuple(words.split()): name
    for name, group in (
        ("new_year_eve", "yilbasi gecesi|yilbasi aksami|yeni yil arifesi|yilbasi arifesi|yeni yil gecesi"),
        ("new_year", "yilbasi|yilbasi gunu|yeni yil gunu|yeni yil|yeni yilin ilk gunu"),
        ("christmas", "noel|noel gunu"), ("christmas_eve", "noel arifesi|noel gecesi"),
        ("easter", "paskalya|paskalya gunu|paskalya pazari"), ("easter_monday", "paskalya pazartesisi"),
        ("halloween", "cadilar bayrami"), ("valentine", "sevgililer gunu"), ("women", "kadinlar gunu"),
        ("children", "ulusal egemenlik ve cocuk bayrami|egemenlik bayrami|cocuk bayrami"),
        ("labour", "isci bayrami|emek ve dayanisma gunu|iscı bayrami|emek bayrami"),
        ("youth", "ataturku anma genclik ve spor bayrami|genclik ve spor bayrami|genclik bayrami"),
        ("democracy", "demokrasi ve milli birlik gunu"), ("victory", "zafer bayrami"),
        ("republic", "cumhuriyet bayrami"), ("teachers", "ogretmenler gunu"), ("newroz", "nevruz"),
        ("mothers", "anneler gunu"), ("fathers", "babalar gunu"), ("thanksgiving", "sukran gunu"),
        ("eid_fitr", "ramazan bayrami|seker bayrami"), ("eid_adha", "kurban bayrami"), ("ramadan", "ramazan"),
        ("independence", "bagimsizlik gunu"), ("april_fools", "1 nisan sakasi"), ("earth", "dunya gunu"),
        ("black_friday", "kara cuma"), ("ataturk", "ataturku anma gunu"), ("boxing", "boxing day"),
        ("labor", "emek gunu"), ("lunar_new_year", "cin yeni yili"), ("columbus", "kolomb gunu"),
        ("veterans", "gaziler gunu"), ("patrick", "aziz patrick gunu"), ("memorial", "anma gunu"),
    )
    for words in group.split("|")
}  # fmt: skip
YOUNG: dict[str, str] = {"yavru": "young", "bebek": "baby", "bebeg": "baby", "enik": "young"}
# Phrases with one fixed meaning: role, has a phrase onset, today, rule name; then the phrases.
PhraseGroup = tuple[Role, bool, Today | None, str, str]
PHRASE_GROUPS: tuple[PhraseGroup, ...] = (
    ("now", False, "yes", "now",
    "simdi|su an|su anda|suan|suanda|su an icin|halihazirda|hemen simdi|artik|"
     "bundan boyle|simdilik|su dakika"),
    ("now", False, "yes", "still",
    "hala|halen|yine|gene|tekrar|bir daha|hala daha|yeniden|yine de|tekrardan|"
     "eskisi gibi|hep oldugu gibi"),
    ("vague", True, "yes", "these days", "son zamanlarda|son gunlerde|bu aralar|su aralar|bu siralar|"
     "su siralar|bu gunlerde|bugunlerde|su gunlerde|son donemde|son donemlerde|son haftalarda|"
     "son aylarda|"
     "son yillarda|son siralarda|bu siralarda|su siralarda|bu donemde|bu ara|su ara|son vakitlerde"),
    ("vague", True, "unknown", "recently", "yakin zamanda|yakinlarda|yakin bir zamanda|yakin gecmiste"),
    ("vague", True, "no", "once",
    "eskiden|onceden|daha onceden|daha onceleri|onceleri|daha once|evvelden|"
     "vaktiyle|zamaninda|bir ara|bi ara|bir aralar|bi aralar|bir zamanlar|bi zamanlar|bir keresinde|"
     "bi keresinde|gecenlerde|gecende|gecen gun|gecen gece|gecen aksam|gecen sabah|gecen sefer|"
     "gecen defa|"
     "gecen seferki|bir sure once|bi sure once|uzun zaman once|cok uzun zaman once|uzun sure once|bayramda|"
     "gecen bayram|gecen bayramda|bayram gunu|cok once|cok onceden|"
     "cok onceleri|"
     "yillar once|aylar once|haftalar once|gunler once|saatler once|epey once|bir hayli once|"
     "bir vakitler|"
     "bir zaman once|bir muddet once|bir sure evvel|yillar evvel|cok evvel|epeyce once|gecmiste|"
     "eskilerde|"
     "gecenlerde bir gun|gecen bir gun|evvelce|bir gun|bi gun|o zamanlar|o donem|o siralar|o aralar"),
    ("vague", True, "yes", "for a while",
    "uzun zamandir|uzun suredir|uzun bir suredir|bir suredir|bi suredir|"
     "epeydir|epey zamandir|epey bir suredir|coktandir|coktan beri|bir muddettir|bir zamandir|"
     "bi zamandir|"
     "ne zamandir|nicedir|yillardir|aylardir|haftalardir|gunlerdir|saatlerdir|kac zamandir|kac gundur|"
     "uzun zamandan beri|uzun suredir beri|bir suredir beri|epeyce zamandir|asirlardir|senelerdir|"
     "yillardan beri|aylardan beri|haftalardan beri|gunlerden beri|oteden beri|eskiden beri|"
     "bunca zamandir"),
    ("frequency", False, None, "how often",
    "bazen|arada bir|ara sira|arada sirada|arada|ara ara|zaman zaman|"
     "sik sik|sikca|siklikla|genelde|genellikle|cogunlukla|cogu zaman|her zaman|surekli|devamli|nadiren|"
     "bazi gunler|bazi geceler|kimi zaman|gun asiri|gunasiri|sabahlari|aksamlari|geceleri|ogleleri|"
     "oglenleri|"
     "hafta sonlari|haftasonlari|hafta ici|hafta icleri|gece gunduz|gunduzleri|gece gunduz demeden|"
     "aralikli|aralikli olarak|araliklarla|duzenli olarak|her seferinde|ikide bir|ikide birde|gunde bir|"
     "haftada bir|ayda bir|yilda bir|senede bir|ayda yilda bir|kirk yilda bir|yazlari|kislari|baharlari|"
     "gunluk|haftalik|aylik|yillik|saatlik|gunde birkac kez|hep|daima|her daim|bazi sabahlar|cogu gece|"
     "cogu gun|cogu sabah|cogu aksam|kah kah|vakit vakit|donem donem|gun boyu her saat"),
    ("future", False, None, "later",
    "yarin|yarina|yarinki|yarinin|yarindan|yarin sabah|yarin aksam|obur gun|"
     "obur gunu|obursu gun|obursu gunu|yarindan sonra|yarindan sonraki gun|yarindan itibaren|ertesi gun|"
     "birazdan|az sonra|biraz sonra|yakinda|ileride|ilerde|haftaya|seneye|gelecekte|ileriki gunlerde|"
     "bundan sonra|gunun birinde|bir ara yarin|daha sonra|yarin oglen|onumuzdeki gunlerde|"
     "ileri bir tarihte|"
     "gunun geri kalaninda|haftanin geri kalaninda|ayin geri kalaninda|yilin geri kalaninda|"
     "haftaya bugun"),
)  # fmt: skip
SET_PHRASES: dict[tuple[str, ...], tuple[Role, bool, Today | None, str]] = {
    tuple(words.split()): (role, phrase, today, why)
    for role, phrase, today, why, group in PHRASE_GROUPS
    for words in group.split("|")
}
SPELLINGS: dict[str, str] = {
    "bgn": "bugun", "bugn": "bugun", "bugunn": "bugun", "bugum": "bugun", "dunn": "dun",
    "carsanba": "carsamba",
    "persenbe": "persembe", "pazertesi": "pazartesi", "cumertesi": "cumartesi", "evelsi": "evvelsi",
    "evelki": "evvelki", "evvesi": "evvelsi", "sbh": "sabah", "aksm": "aksam", "simdi": "simdi",
    "simdii": "simdi",
    "sindi": "simdi", "bukac": "birkac", "hfta": "hafta", "gunduur": "gundur", "gundr": "gundur",
    "gundir": "gundur",
    "yarn": "yarin", "yrn": "yarin", "onec": "once", "oncee": "once", "brri": "beri", "berii": "beri",
    "dunku": "dunku", "haftasonu": "haftasonu", "hastadir": "hastadir", "ogln": "oglen",
}  # fmt: skip
FUZZY_STEMS = ("pazartesi", "carsamba", "persembe", "cumartesi", "haziran", "temmuz", "agustos", "ogleden")
