# ruff: noqa: E501 - one pattern stays on one line
"""What makes a question need thought, as data: patterns over folded words, by language and indicator.

Folded means lower-case ASCII without accents or apostrophes, so phone spelling and book spelling meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "tr"]
# What each indicator weighs; a question of THRESHOLD or more is analytical.
WEIGHTS: Mapping[str, int] = {
    "comparison": 2,
    "causation": 2,
    "trend": 2,
    "subjects": 2,
    "conditional": 2,
    "negation": 1,
    "length": 1,
    "clauses": 1,
}
THRESHOLD = 2
LONG_WORDS = {"en": 20, "tr": 15}
MANY_CLAUSES = 3

INDICATORS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "comparison": (
            r"compar\w*", r"versus|vs", r"differ(?:s|ed|ent|ently|ence|ences)?", r"than", r"as \w+ as",
            r"the (?:\w+ )?same|same (?:\w+ )?(?:as|like|thing|one|problem|reason|time)",
            r"(?:twice|half|double|three times|\d+ times) as", r"similar(?:ly)?(?: to)?", r"whereas",
            r"which (?:of|one|ones|is|was|are|were|has|have|works|worked|helps|helped)",
            r"(?:which|what) \w+(?: \w+)? (?:works|worked|helps|helped|is|was|are|were) (?:the )?"
            r"(?:better|best|worse|worst|more|most|less|least)",
            r"(?:better|worse|more|less|fewer|longer|shorter|higher|lower)\b.*\bor\b", r"on balance",
            r"(?:best|worst|most effective|least effective)(?: \w+){0,4} (?:of|among|out of|so far|overall)",
            r"pros and cons", r"or (?:is|was|are|were|did|do|does|has|have|rather|just) (?:it|he|she|they|that|this|better|on|with|because)?",
            r"(?:calm|hard|easi|few|fast|quick|slow|happi|loud|quiet|bigg|small|heavi|light|warm|cold|weak|strong|sleepi|thinn|fatt|rar|earli|lat|long|short|high|low|clean|dri|soft|angri|hungri|thirsti|bad|great|saf|close|sick|itchi|redd|sadd|deep|young)er(?! (?:brother|sister|sibling|back|leg|jaw|lip))",
            r"(?:work|works|worked|do|does|did|doing|going|goes|went|sleep|sleeps|eat|eats|slept|ate|help|helps) (?:\w+ )?(?:better|worse|more|less)", r"besides|apart from|other than|except(?: for)?", r"(?:more|less) (?:likely|often|effective|common|severe|anxious|active|calm|\w+ed|\w+ing|\w+ful|\w+ive|\w+able|\w+ous)", r"trade ?offs?", r"(?:says|said|thinks|claims|reckons) .* (?:says|said|thinks|claims|reckons)",
            r"(?:make|makes|made|making) (?:a|any|much|no) difference|whether .* or (?:\w+ )?(?:him|her|his|their|not|both|the)", r"rather than|instead of", r"relative to", r"contrast\w*",
            r"rank(?:ed|ing)?", r"weigh(?:ed)? up", r"the other (?:one|way)", r"before and after",
        ),
        "causation": (
            r"why", r"how come", r"what(?:s|ve)?(?: \w+){0,3} (?:cause|causes|caused|causing)", r"caus(?:e|es|ed|ing)",
            r"because(?: of)?", r"due to", r"reasons?(?: for| why| behind)?", r"trigger(?:s|ed|ing)?",
            r"lead(?:s|ing)? to|led to", r"result(?:s|ed|ing)? (?:of|from|in)", r"behind (?:it|this|that|the|his|her)",
            r"link(?:s|ed)?", r"connect(?:s|ed|ion|ions)", r"related|relation(?:ship)?", r"correlat\w+",
            r"depend(?:s|ing)? on", r"factors?", r"ruin(?:s|ed|ing)?|spoil(?:s|ed|ing)?|disturb(?:s|ed|ing)?|wreck(?:s|ed)?|help(?:s|ed|ing)? with anything",
            r"in common|(?:any|a|no) (?:sign|signs|proof|hint|evidence)(?: that| of)?|(?:is|are|was) (?:\w+ ){1,4}(?:really |actually )?(?:helping|working)|(?:stress|upset|scare|confuse|hurt|harm)(?:es|s|ed)? (?:him|her|them)", r"what (?:\w+ )?happens (?:\w+ )?before|leads? up to|(?:comes|goes) before|preced\w+|(?:could|can|might|would|does|is) (?:\w+ ){1,4}(?:be )?(?:making|causing|giving|upsetting|bothering)",
            r"upset(?:s|ting)? (?:him|her|them|his|the)|bother(?:s|ing)? (?:him|her|them)|sets? \w+ off|what else (?:could|might|can|would)|in spite of|despite|even though|although", r"tied to|owing to|thanks to|down to", r"infect(?:s|ed|ing)|catch(?:es|ing)? (?:it|this|that|something) from|caught (?:it|this|that) from|contagious", r"mak(?:e|es|ing|ing) \w+(?: \w+){0,3} (?:worse|better|harder|easier)", r"(?:sets?|setting) (?:\w+ )off|throws? (?:\w+ )off", r"stress(?:ed|ing)? (?:him|her|them|out)|what (?:upsets|bothers|scares|worries|scares)", r"affect(?:s|ed|ing)?", r"influenc\w+", r"contribut\w+", r"to blame|blame",
            r"explain(?:s|ed)?", r"(?:make|makes|made|making|set|sets|setting) (?:him|her|it|them|\w+)"
            r" (?:so |more |worse|angry|anxious|sick|itch|scratch|vomit|cough|sneeze|limp|melt|upset|off)",
            r"have (?:something|anything) to do with|(?:something|anything|nothing) to do with",
            r"side effects?(?: of| from)?", r"brings? (?:it |this |that |them )?on", r"brought (?:it |this |that )?on",
            r"could (?:it|this|that) be (?:the|from|a reaction|because)", r"figure out what|whats going on with",
        ),
        "trend": (
            r"trends?", r"(?:every|each) time|whenever|(?:before|after) (?:every|each)", r"in (?:waves|cycles|phases)|cycl\w+|season\w*", r"what(?:s| has| have)? (?:changed|different|new)\b(?= between| since| after| from| in| over| lately)", r"these days|nowadays", r"(?:fewer|less|more) (?:\w+ ){1,3}(?:lately|recently|now|this)", r"over (?:time|the (?:last|past|course|weeks?|months?|years?|summer|winter))",
            r"over the \w+ (?:weeks|months|years|days)", r"patterns?", r"progress(?:ed|ing|ion)?",
            r"(?:getting|gotten|got|become|becoming|became|growing|going) (?:any )?"
            r"(?:better|worse|more|less|longer|shorter|rarer|stronger|weaker|up|down)",
            r"improv(?:e|es|ed|ing|ement)", r"worsen(?:s|ed|ing)?", r"increas(?:e|es|ed|ing)",
            r"decreas(?:e|es|ed|ing)", r"declin(?:e|es|ed|ing)", r"chang(?:e|es|ed|ing)(?: (?:since|over|in|from|much|this|with))",
            r"(?:has|have|is|are|did|does|whats|what has|what have)\b.* chang(?:e|ed|ing)", r"develop(?:ed|ing|ment)",
            r"(?:more|less) (?:often|frequent|frequently|and more|and less)", r"week (?:by|to|on|after|over) week",
            r"month (?:by|to|on|after|over) month", r"year (?:by|on|after|over) year", r"day (?:by|to) day", r"so far this",
            r"how (?:has|have|is|are)(?: \w+){1,6} (?:been|going|doing|gone|coming along)(?: \w+){0,3}"
            r"(?: this| these| since| over| in| lately| for| during)",
            r"how (?:has|have|is|are)(?: \w+){1,5} (?:evolv\w+|gone)",
            r"(?:in|during|across|throughout) the (?:last|past) (?:\w+ )?(?:weeks|months|years|few|couple)",
            r"(?:past|last) (?:two|three|four|five|six|several|few|couple|\d+)(?: of)? (?:weeks|months|years)",
            r"since (?:we|he|she|they|the|starting|changing|switching|january|february|march|april|may|june|july|august"
            r"|september|october|november|december|spring|summer|autumn|winter|last)\b.*(?:been|chang\w+|better|worse|more|less|improv\w+)",
            r"summar(?:y|ise|ize) (?:the|of the|his|her|of his|of her) (?:last|past|month|year|weeks|months)", r"trajectory",
            r"keeps? (?:coming back|happening|getting|going)", r"(?:up|down) or (?:up|down)", r"fluctuat\w+", r"(?:down|up)hill|reduc(?:e|es|ed|ing)|lessen\w*|eas(?:ed|es|ing) off|(?:still |been |kept |keeps |slowly |steadily )(?:dropping|falling|rising|climbing|creeping|shrinking|gaining|losing|dropped|fallen|risen)",
            r"(?:real|imagin\w+).* or .*(?:imagin\w+|real)|or (?:are|am) (?:we|i) (?:just |only )?\w+", r"(?:ups|highs) and (?:downs|lows)",
        ),
        "subjects": (
            r"both", r"each other|one another", r"either of (?:them|the)", r"neither of (?:them|the)",
            r"all (?:of them|the|our|three|four|my) ?(?:cats|dogs|kids|children|pets|animals|rabbits|birds|boys|girls|siblings)?",
            r"(?:the|my|our) (?:kids|children|cats|dogs|pets|animals|twins|siblings|rabbits|birds)",
            r"(?:his|her) (?:brother|sister|sibling|littermate)", r"between (?:the|my|our) (?:two|cats|dogs|kids|children|twins)",
            r"the (?:cat|dog|rabbit|bird)s? and (?:the |my |our |his |her )?\w+", r"(?:him|her|he|she) and (?:the|his|her) \w+", r"the other (?:cat|dog|child|kid|rabbit|bird|twin)",
            r"which of (?:them|the|my|our)", r"the whole (?:house|household|family|litter)",
        ),
        "conditional": (
            r"if", r"unless", r"in case", r"what happens when", r"would it|would that|would he|would she|would we",
            r"supposing|suppose|assuming|provided|whether", r"should (?:we|i)\b.* or (?:\w+ ){0,3}(?:wait|keep|stop|go|call|try|leave|not|is|should|see|just|give)",
            r"as long as|so long as", r"otherwise", r"or (?:can|should|could|is it|will) (?:i|we|it|he|she|okay|better|ok|wait|that)",
            r"worth (?:trying|it|changing|switching|stopping|asking|going)", r"(?:is|would|will) it (?:be )?safe to",
            r"should (?:we|i|he|she|they)\b.* or\b", r"(?:when|whenever) (?:he|she|it|they|we|i) \w+ .*\b(?:how|what|does|will|do)\b", r"ahead of|in preparation for",
        ),
        "negation": (
            r"not|never|no|without|neither|nor|nothing|none|\w+nt(?<!want)(?<!went)(?<!appointment)(?<!treatment)",
        ),
    },
    "tr": {
        "comparison": (
            r"karsilastir\w*", r"(?<!bir )daha (?:(?:mi|mu|da|de|cok|az) )?(?!once|sonra|yeni|simdi|dun|bugun|ne\b|var|yok|demin|cok\b|az\b|mi\b|mu\b)(?!\w+(?:m[ae]d[iu]|m[iu]yor))\w+", r"disinda|haricinde|baska bir sey", r"kiyas\w*", r"fark(?:i|li|lar\w*|lilik\w*)?(?:ydi|ni|na)?", r"ayni(?:si|sinin)?",
            r"benz(?:er|iyor|emiyor|erli\w*)\w*", r"(?:iki|uc|yari) kati\w*", r"hangi(?:si|leri|sinin|sini)\w*", r"(?:mi|mu)(?:ydi|ydu)? yoksa\b.*",
            r"yoksa", r"\w+(?:dan|den|tan|ten) (?:daha|cok|az|fazla|iyi|kotu|farkli)", r"daha (?:iyi|kotu|cok|az|fazla|uzun|kisa|sik|seyrek|rahat|sakin|etkili|yuksek|dusuk|erken|gec|zor|kolay)\w*",
            r"en (?:iyi|kotu|cok|az|etkili|sik|zor|rahat|faydali)\w*(?: \w+){0,3} (?:hangi\w*|ne|neydi|nedir|hangisi\w*)", r"hangi \w+ (?:\w+ ){0,3}(?:daha|en)",
            r"(?:e|a|ye|ya|ne|na) gore", r"\w+(?:e|a|ye|ya|ine|ina|ne|na) gore", r"\w+(?:e|a|ye|ya|ine|ina|ne|na) kiyasla", r"yerine", r"oncesi\w* (?:ve|ile) sonrasi\w*",
            r"(?:onceki|gecen|eski)(?: \w+){0,2} (?:gibi|kadar)", r"kadar (?:iyi|kotu|cok|sik)", r"arti(?:lari)? (?:ve )?eksi\w*", r"sirala\w*", r"ustun\w*", r"nazaran", r"(?:mi|mu)(?:ydi|ydu)?\b.* (?:mi|mu)(?:ydi|ydu|yim|yiz)?", r"tercih\w*", r"diyor\w* .* diyor\w*|diyo .* diyo", r"fark e(?:diyor|der|tti)\w*",
        ),
        "causation": (
            r"neden(?:i|leri|ini|iyle|diy?r|dir)?", r"niye", r"nicin", r"ne(?:yin|ye|den) (?:yuzunden|bagli|dolayi|kaynakl\w*)", r"sebe[bp]\w*", r"zorlastir\w*|zorlayan|zorladi\w*|zorluyor\w*", r"bulas\w*", r"etken\w*|faktor\w*", r"bag (?:var|yok|olabilir|mi)|bag(?:i|lari)(?:ni|nin|na)?", r"\w+[ae]n (?:bir )?(?:sey|seyler|seyi|nedir|etken)\w*", r"neyin|nelerin|(?:altinda|arkasinda) (?:ne|yatan)", r"yuzunden",
            r"dolayi|oturu", r"yol ac\w*", r"tetikl\w*", r"etkil(?:iyor|edi|er|eyen|eyebilir|eyor|enmis|endi|eniyor|emis|eyip)\w*", r"etkisi\w*", r"kaynaklan\w*",
            r"baglanti\w*", r"iliski\w*", r"ilgi(?:si|li)(?! (?:bir|not|ne|bilgi|hangi|kim))\w*", r"alakal?i?\w*", r"bagli\w*", r"sonucu(?: olarak)?", r"acikla\w*", r"yan etki\w*", r"ne(?:yi|den)? (?:kotulestir|azdir|artir)\w*",
            r"yapan (?:ne|sey|nedir)", r"sorumlu\w*", r"olabilir mi.* (?:mama|ilac|dan|den)\w*", r"(?:dan|den) mi\b", r"\w+(?:dan|den|tan|ten) mi(?:dir)?", r"sinirlendir\w*|bozan|bozuyor", r"genel(?:de|likle) ne ol\w+|(?:\w+m[ae]d[ae]n|\w+[dt][ae]n) once (?:\w+ )?ne(?:ler)? ol\w+|oncesinde ne(?:ler)? ol\w+", r"nasil ol(?:uyor|ur|du) da", r"strese sok\w*|strese gir\w*|boz(?:uyor|ar|du)\w*", r"dair (?:bir )?(?:isaret|kanit|iz)\w*|isareti?(?: var)? mi|ise yaradigi\w*|ortak (?:yan|nokta|ozellik)\w*", r"(?:\w+ )?yap(?:iyor|mis|ar|abilir)(?: olabilir)? m[iu]|yapiyor olabilir|neden olabilir",
            r"rahatsiz ed\w*|huzursuz\w* (?:ed|yap)\w*|ne(?:yi|ler)? (?:\w+ )?uz(?:uyor|er|du)\w*|ragmen",
        ),
        "trend": (
            r"her (?:\w+ ){1,3}(?:once|sonra)\w*|her seferinde|ne zaman \w+(?:sa|se)", r"dalga dalga|donem donem|mevsim\w*|dongu\w*", r"gittikce", r"giderek", r"zamanla", r"zaman icinde", r"gidisat\w*", r"seyr\w*|seyir", r"egilim\w*", r"oruntu\w*|duzen(?:li)? (?:var|mi)", r"ilerle\w*", r"gelisme\w*|gelisim\w*|gelisti\w*|gelisiyor\w*",
            r"degis(?:ti|im|iyor|mis|iklik|en|me)\w*", r"artir\w*|azalt\w*|hizlan\w*|yavasla\w*", r"art(?:ti|iyor|mis|is|ar|an|ma)\w*", r"azal\w*", r"duzel\w*", r"kotules\w*|kotuye git\w*", r"iyiles\w*|iyiye git\w*", r"siklas\w*", r"seyrekles\w*", r"uza(?:di|mis|makta)\w*|kisal\w*", r"yuksel\w*|dus(?:us|uyor|tu mu)\w*", r"gerile\w*",
            r"son (?:birkac|bir kac|bir|iki|uc|dort|bes|alti|\d+)? ?(?:hafta|ay|yil|sene)(?:da|de|dir|lar\w*|lik|dan|nin|ya|larda)\w*(?: \w+)*", r"haftadan haftaya|aydan aya|gunden gune|yildan yila|her ay|her hafta",
            r"(?:ay|yil|hafta|yaz|kis|sezon) boyunca", r"bu (?:ay|yil|hafta|donem|sene)(?: \w+){0,5} nasil\w*", r"nasil (?:gidiyor|gitti|ilerl\w+|seyred\w+|degis\w+)(?: \w+)*", r"\w+(?:dan|den|tan|ten) (?:beri|bu yana)(?: \w+)* (?:nasil|daha|degis\w*|art\w*|azal\w*|duzel\w*|ne kadar|kac)\w*",
            r"(?:dan|den) bugune", r"tekrarl\w*", r"ozetl\w*|ozeti?(?:ni)?", r"dalgalan\w*|inis cikis\w*", r"simdiye kadar(?: \w+)* nasil\w*",
        ),
        "subjects": (
            r"(?:her )?iki(?:si|sinin|sinde|sini|sine|sinden|mizin)\w*", r"her ikisi\w*", r"hepsi\w*", r"birbir\w*", r"hem\b.*\bhem\b.*", r"\w+ (?:ile|ve) \w+ (?:arasinda|arasindaki)\w*", r"arasinda(?:ki)?",
            r"cocuklar\w*", r"kediler\w*", r"kopekler\w*", r"hayvanlar\w*", r"ikizler\w*", r"kardes(?:i|iyle|inin|ler|inde|ine)\w*", r"(?:kedi|kopek|tavsan|kus)\w* (?:ve|ile) (?:kedi|kopek|tavsan|kus|oglu|kizi|cocu)\w*", r"hangi(?:mizin|niz)", r"diger(?:i|inin|inde| kedi| kopek| cocu\w*)\w*", r"oteki\w*",
        ),
        "conditional": (
            r"eger", r"sayet", r"(?!kimse|nasilsa|neyse|yoksa|ise\b)\w{2,}(?:[rz]s[ae]|yors[ae]|yos[ae]|d[iu]ys[ae]|t[iu]ys[ae]|m[iu]ss[ae]|m[ae]sa|mes[ae]|ols[ae]|[ae]cakks[ae]|c[ae]ks[ae]|vars[ae])(?:m|n|k|niz|nuz|lar|ler)?",
            r"(?:olsa|gitse|verse|alsa|yapsa|denese|degistirse|biraksa|kesse|yese|etse|uyusa|artirsa|azaltsa|baslasa|cikarsa|birak[s]a|beklese|arasa|sorsa|gelse|tekrarla[s]a|ara[s]a)(?:m|n|k|niz|lar|ler|ydi\w*|yd\w*)?", r"takdirde|durumunda|halinde", r"olursa\w*", r"(?:gerekir|lazim) mi(?:,| )? yoksa", r"aksi (?:halde|takdirde)", r"yapmali (?:mi)?yi[mz].* yoksa", r"ihtimal\w*",
            r"\w+[iu]nc[ae]\b.* (?:nasil|ne ol\w+)",
            r"guvenli mi", r"\w+m[ae]d[iu]kc[ae]|\w+d[iu]kc[ae]|\w+t[iu]kc[ae]", r"deger mi",
        ),
        "negation": (
            r"degil\w*", r"yok\w*", r"hic", r"\w+s[iu]z", r"\w+m[ae]d[iu]\w*", r"\w+m[iu]yor\w*", r"\w+m[ae]z\w*", r"olmadan|yapmadan|vermeden|\w{3,}m[ae]d[ae]n", r"ne .* ne",
        ),
    },
}  # fmt: skip

# Where a clause begins inside a sentence, beside commas and semicolons.
CLAUSE_WORDS: Mapping[Language, frozenset[str]] = {
    "en": frozenset(
        "and but when while because since after before if although though which who where".split()
    ),
    "tr": frozenset("ve ama fakat cunku sonra once iken hem ancak eger oysa".split()),
}
GREETINGS = frozenset(
    "hi hello hey hiya morning evening afternoon night good thanks thank you thx ty cheers ok okay great fine"
    " bye goodbye cool nice perfect lovely wonderful super yes no sure welcome sorry please there house"
    " hearthbook everyone again so much very a lot merhaba selam selamlar gunaydin iyi gunler aksamlar geceler"
    " sabahlar tesekkur tesekkurler ederim ediyorum sagol sagolun sag ol olun cok tamam tamamdir peki super"
    " harika guzel eyvallah hosca kal kalin gorusuruz gorusmek uzere evet hayir rica eline saglik elinize"
    " kolay gelsin hosbulduk hos bulduk naber nasilsin iyiyim mukemmel how are things going whats up see later"
    " ya for your the help that was is helpful appreciate it all done got understood anladim anlasildi bye"
    " yardimin yardiminiz icin bu kadar".split()
)
# At least one of these, so that "how are things" is a greeting and "how is it going" of somebody is not.
GREETS = frozenset(
    "hi hello hey hiya morning evening afternoon goodnight night thanks thank thx ty cheers ok okay bye goodbye"
    " welcome great perfect lovely cool merhaba selam selamlar gunaydin gunler aksamlar geceler sabahlar tesekkur"
    " tesekkurler sagol sagolun eyvallah tamam peki super harika gorusuruz rica naber nasilsin saglik gelsin"
    " anladim anlasildi understood appreciate sag hosca mukemmel nice sorry yes no evet hayir later up".split()
)
NOT_GREETING = frozenset("he she his her him they them it's its".split())
# Words that may stand in a sum beside numbers and signs.
SUM_WORDS = frozenset(
    "what whats is how much many equals equal plus minus times divided by over multiplied percent of half twice"
    " double the sum and a calculate compute kac eder ne kadar arti eksi carpi bolu yuzde yuzdesi toplam topla"
    " cikar carp bol kere esittir yarisi iki kati hesapla yapar".split()
)
NUMBER_WORDS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred"
    " thousand sifir bir uc dort bes alti yedi sekiz dokuz on yirmi otuz kirk elli yuz bin".split()
)
