"""Turkish texts as they are said: a table of our own."""

from __future__ import annotations

import pytest

from voice.rules.speakable import speakable
from voice.rules.speakable.turkish_numbers import cardinal, ordinal

TABLE = [
    # whole numbers
    ("0", "sıfır"),
    ("7", "yedi"),
    ("10", "on"),
    ("21", "yirmi bir"),
    ("100", "yüz"),
    ("101", "yüz bir"),
    ("250", "iki yüz elli"),
    ("1000", "bin"),
    ("1001", "bin bir"),
    ("1999", "bin dokuz yüz doksan dokuz"),
    ("2000", "iki bin"),
    ("10.000", "on bin"),
    ("1.000.000", "bir milyon"),
    ("1.250", "bin iki yüz elli"),
    ("007", "sıfır sıfır yedi"),
    ("5 milyon kişi", "beş milyon kişi"),
    # ordinals
    ("1. gün", "birinci gün"),
    ("2. doz", "ikinci doz"),
    ("3. hafta", "üçüncü hafta"),
    ("4. sınıf", "dördüncü sınıf"),
    ("5. ay", "beşinci ay"),
    ("6. gün", "altıncı gün"),
    ("9. kat", "dokuzuncu kat"),
    ("10. gün", "onuncu gün"),
    ("20. gün", "yirminci gün"),
    ("30. gün", "otuzuncu gün"),
    ("40. gün", "kırkıncı gün"),
    ("100. gün", "yüzüncü gün"),
    ("1000. gün", "bininci gün"),
    ("3. ve 4. gün", "üçüncü ve dördüncü gün"),
    ("1. Bölüm", "birinci Bölüm"),
    ("1'inci", "birinci"),
    ("3'üncü gün", "üçüncü gün"),
    ("4.'sü", "dördüncüsü"),
    ("II. Mehmet", "ikinci Mehmet"),
    ("XX. yüzyıl", "yirminci yüzyıl"),
    ("Yaşı 5.", "Yaşı beş."),
    ("Yaşı 5. Sonra geldi.", "Yaşı beş. Sonra geldi."),
    # decimals and fractions
    ("38,5 derece", "otuz sekiz virgül beş derece"),
    ("0,5", "sıfır virgül beş"),
    ("0,05", "sıfır virgül sıfır beş"),
    ("4.2", "dört virgül iki"),
    ("½ tablet", "yarım tablet"),
    ("1½ ölçek", "bir buçuk ölçek"),
    ("¼ tablet", "çeyrek tablet"),
    ("2¾", "iki tam dörtte üç"),
    ("1/2 tablet", "yarım tablet"),
    ("3/4", "dörtte üç"),
    ("2/3", "üçte iki"),
    ("2 1/2", "iki buçuk"),
    ("Ağrı 7/10", "Ağrı onda yedi"),
    # signs
    ("-5", "eksi beş"),
    ("-3 °C", "eksi üç derece"),
    ("+2", "artı iki"),
    ("- Kulak kaşındı", "Kulak kaşındı"),
    ("-Kulak kaşındı", "Kulak kaşındı"),
    ("• Kulak\n• Göz", "Kulak\nGöz"),
    ("2+2=4", "iki artı iki eşittir dört"),
    ("%20", "yüzde yirmi"),
    ("%5'i", "yüzde beşi"),
    ("20% az", "yüzde yirmi az"),
    ("%10-20", "yüzde on ile yirmi"),
    ("%0,9", "yüzde sıfır virgül dokuz"),
    # units
    ("4,2 kg", "dört virgül iki kilogram"),
    ("4,2 kg'dan", "dört virgül iki kilogramdan"),
    ("50 mg", "elli miligram"),
    ("5 mg/kg", "kilogram başına beş miligram"),
    ("250 ml/gün", "günde iki yüz elli mililitre"),
    ("500 ml'lik", "beş yüz mililitrelik"),
    ("38,5 °C", "otuz sekiz virgül beş derece"),
    ("38.9 C", "otuz sekiz virgül dokuz derece"),
    ("10 cm", "on santimetre"),
    ("3 km", "üç kilometre"),
    ("30 sn", "otuz saniye"),
    ("3 dk. sürdü", "üç dakika sürdü"),
    ("20 m²", "yirmi metrekare"),
    ("1000 IU", "bin uluslararası ünite"),
    ("10-15 mg", "on ile on beş miligram"),
    # money
    ("5 TL", "beş lira"),
    ("₺20", "yirmi lira"),
    ("12,50 TL", "on iki lira elli kuruş"),
    ("1.250,75 TL", "bin iki yüz elli lira yetmiş beş kuruş"),
    ("2,5 milyon TL", "iki virgül beş milyon lira"),
    ("100 $", "yüz dolar"),
    ("50 TL'ye", "elli liraya"),
    # how often, how many
    ("2x/gün", "günde iki kez"),
    ("3x/hafta", "haftada üç kez"),
    ("günde 2x", "günde iki kez"),
    ("3-4 gün", "üç dört gün"),
    ("3-4 saat", "üç dört saat"),
    ("10-15 dakika", "on ile on beş dakika"),
    ("7/24", "yedi yirmi dört"),
    # clock times
    ("14:30", "on dört otuz"),
    ("14:30'da", "on dört otuzda"),
    ("09:05", "dokuz sıfır beş"),
    ("14:00", "on dört"),
    ("saat 5'te", "saat beşte"),
    ("saat 9'da", "saat dokuzda"),
    ("saat 14.30'da geldi", "saat on dört otuzda geldi"),
    ("10:00-12:30", "on ile on iki otuz"),
    ("01:02:03", "bir saat iki dakika üç saniye"),
    # dates
    ("3 Mart 2025", "üç Mart iki bin yirmi beş"),
    ("3 Mart'ta", "üç Mart'ta"),
    ("03.03.2025", "üç Mart iki bin yirmi beş"),
    ("3.3.2025'te", "üç Mart iki bin yirmi beşte"),
    ("15/08/2024", "on beş Ağustos iki bin yirmi dört"),
    ("2025-03-01", "bir Mart iki bin yirmi beş"),
    ("2025'te", "iki bin yirmi beşte"),
    ("Mart 2025", "Mart iki bin yirmi beş"),
    ("3-5 Mart", "üç ile beş Mart"),
    ("15 Ara", "on beş Aralık"),
    ("21 ekim", "yirmi bir ekim"),
    # endings after an apostrophe
    ("5'te", "beşte"),
    ("4'ü", "dördü"),
    ("4'e", "dörde"),
    ("4'te", "dörtte"),
    ("20'si", "yirmisi"),
    ("10'da 1", "onda bir"),
    ("39'a çıktı", "otuz dokuza çıktı"),
    ("155'i ara", "yüz elli beşi ara"),
    ("Boncuk'un", "Boncuk'un"),
    ("Ayşe’nin", "Ayşe’nin"),
    # abbreviations
    ("Dr. Yılmaz", "doktor Yılmaz"),
    ("Prof. Dr. Ayşe", "profesör doktor Ayşe"),
    ("Sn. Demir", "sayın Demir"),
    ("kedi, köpek vb.", "kedi, köpek ve benzeri."),
    ("vb. şeyler", "ve benzeri şeyler"),
    ("vs. dedi", "vesaire dedi"),
    ("örn. elma", "örneğin elma"),
    ("bkz. kayıt", "bakınız kayıt"),
    ("Atatürk Cad. No: 5", "Atatürk caddesi numara beş"),
    # telephones, codes, addresses
    ("112", "yüz on iki"),
    ("0532 123 45 67", "sıfır beş yüz otuz iki, yüz yirmi üç, kırk beş, altmış yedi"),
    ("+90 532 123 45 67", "artı doksan, beş yüz otuz iki, yüz yirmi üç, kırk beş, altmış yedi"),
    ("B12 vitamini", "B on iki vitamini"),
    ("ayse@ornek.org", "ayse et ornek nokta org"),
    # the book's own marks, and what has no sound
    ("Kulak [E1].", "Kulak."),
    ("Kulak [E1, E2] ve göz", "Kulak ve göz"),
    ("rec_000123 kaydı", " kaydı"),
    ("Kustu 😿.", "Kustu."),
    ("Ateşi 39'a çıktı, 2 kez kustu.", "Ateşi otuz dokuza çıktı, iki kez kustu."),
    ("Bugün iyi, değil mi?", "Bugün iyi, değil mi?"),
    ("", ""),
]  # fmt: skip


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len({written for written, _ in TABLE}) >= 120


@pytest.mark.parametrize(("written", "said"), TABLE)
def test_a_turkish_text_is_said_in_words(written: str, said: str) -> None:
    assert speakable(written, "tr").words.strip() == said.strip()


def test_every_number_word_up_to_a_thousand_is_its_own() -> None:
    assert len({cardinal(number) for number in range(1001)}) == 1001


def test_every_ordinal_keeps_vowel_harmony() -> None:
    ends = {ordinal(number)[-4:] for number in range(1, 1001)}
    assert ends <= {"ıncı", "inci", "uncu", "üncü"}
