"""Own-written reports, as their writers would hand them in: four kinds, English and Turkish."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """One report: its text, what it is, and words of the findings it must propose (and must not)."""

    name: str
    kind: str
    language: str
    dated_on: dt.date
    writer: str
    text: str
    finds: tuple[str, ...]
    leaves: tuple[str, ...]


THERAPY_EN = """Riverside Children's Therapy Centre
OCCUPATIONAL THERAPY EVALUATION

Name: Leo Marsh
Date of birth: 14.09.2018
Date of evaluation: 12.05.2026
Evaluated by: Hanna Brandt

Background
Leo was referred by his parents because of meltdowns in loud and crowded places.

Findings
Leo is over-responsive to sound and covers his ears when a chair scrapes.
He avoids sticky textures on his hands during play.
Fine motor skills are below the expected range for his age.
There is no evidence of a visual problem.
Diagnosed with sensory processing disorder in March 2024.

Recommendations
A quiet corner should be offered before group activities.
Weekly sessions are recommended for six months.
"""
SCHOOL_EN = """Oakfield Primary School
SCHOOL ASSESSMENT REPORT

Pupil: Leo Marsh
Class: 2B
Date: 18 June 2026
Class teacher: Martin Hale

Reading
Leo reads with interest. His reading is below the expected level for the end of the year.

Attention and behaviour
He has difficulty staying seated when the classroom is noisy.
He struggles with changes of plan and needs a warning beforehand.
He is not distressed during outdoor play.

Next steps
We will provide a visual timetable from September 2026.
"""
VET_EN = """Harbour Lane Veterinary Clinic
VETERINARY EXAMINATION REPORT

Patient: Mavi   Species: Feline   Sex: female, spayed
Date of visit: 03.02.2026
Veterinarian: Dr. Ruth Okafor

History
Scratching of the left ear for two weeks.

Examination
Weight: 4.6 kg
The left ear canal shows redness and dark discharge.
The right ear is normal.
Mild tartar on the upper molars.

Diagnosis
Chronic otitis externa, left ear, first diagnosed in 2023.

Treatment
Ear drops 0.5 ml twice daily for 10 days.
Rabies vaccination given on 03.02.2026.
Next visit: 17.02.2026
"""
LAB_EN = """Northgate Laboratory
LABORATORY REPORT

Patient: Leo Marsh
Sample no: 80101911/26.06.2025
Approved by: Dr. Ian Cole

Test              Result    Unit      Reference range
Hemoglobin        10.4      g/dL      11.5 - 15.5
Ferritin          6         ng/mL     7 - 140
Glucose           88        mg/dL     70 - 100
Vitamin D         14        ng/mL     30 - 100
Sodium            139       mmol/L    136 - 145
"""
THERAPY_TR = """Defne Çocuk Gelişim Merkezi
ERGOTERAPİ DEĞERLENDİRME RAPORU

Adı Soyadı: Deniz Aksoy
Doğum tarihi: 14.09.2018
Değerlendirme tarihi: 12.05.2026
Değerlendiren: Selin Karaca

Başvuru nedeni
Ailesi kalabalık ve gürültülü yerlerde yaşanan krizler nedeniyle başvurmuştur.

Bulgular
Deniz seslere karşı aşırı duyarlıdır ve sandalye sesinde kulaklarını kapatır.
Yapışkan dokulara dokunmaktan kaçınmaktadır.
İnce motor becerileri yaşının altında kalmaktadır.
Görme sorunu saptanmadı.
Mart 2024 tarihinde duyu işlemleme bozukluğu tanısı almıştır.

Öneriler
Grup etkinliklerinden önce sessiz bir köşe sunulması önerilir.
Haftada bir seans planlanmaktadır.
"""
SCHOOL_TR = """Çınar İlkokulu
OKUL DEĞERLENDİRME RAPORU

Öğrenci: Deniz Aksoy
Sınıfı: 2-B
Tarih: 18 Haziran 2026
Sınıf öğretmeni: Murat Yalın

Okuma
Okumaya ilgi duymaktadır. Okuma hızı sınıf düzeyinin altındadır.

Dikkat ve davranış
Sınıf gürültülü olduğunda yerinde oturmakta zorlanmaktadır.
Plan değişikliklerinde güçlük yaşamaktadır.
Bahçe oyunlarında kaygılı değildir.

Hedefler
Eylül 2026 itibarıyla görsel program hazırlanması planlanmaktadır.
"""
VET_TR = """Liman Veteriner Kliniği
VETERİNER MUAYENE RAPORU

Hasta: Boncuk   Tür: Kedi   Cinsiyet: dişi, kısır
Muayene tarihi: 03.02.2026
Veteriner hekim: Dr. Esra Tunalı

Öykü
İki haftadır sol kulağını kaşıyor.

Muayene
Ağırlık: 4,6 kg
Sol kulak kanalında kızarıklık ve koyu renkli akıntı var.
Sağ kulak normaldir.
Üst azı dişlerinde hafif diş taşı var.

Tanı
Kronik otitis eksterna, sol kulak, ilk tanı 2023.

Tedavi
Kulak damlası 0,5 ml günde 2 kez, 10 gün.
Kuduz aşısı 03.02.2026 tarihinde yapıldı.
Kontrol tarihi: 17.02.2026
"""
LAB_TR = """Kuzey Laboratuvarı
LABORATUVAR TETKİK SONUÇ RAPORU

Hasta: Deniz Aksoy
Numune no: 80101911/26.06.2025
Onaylayan: Dr. Kerem Soylu

Test              Sonuç     Birim     Referans aralığı
Hemoglobin        10,4      g/dL      11,5 - 15,5
Ferritin          6         ng/mL     7 - 140
Glukoz            88        mg/dL     70 - 100
D vitamini        14        ng/mL     30 - 100
Sodyum            139       mmol/L    136 - 145
"""

SAMPLES = (
    Sample(
        "therapy_en", "therapy_evaluation", "en", dt.date(2026, 5, 12), "Hanna Brandt", THERAPY_EN,
        ("over-responsive to sound", "sticky textures", "Fine motor skills", "sensory processing disorder"),
        ("visual problem", "quiet corner", "Weekly sessions"),
    ),
    Sample(
        "school_en", "school_assessment", "en", dt.date(2026, 6, 18), "Martin Hale", SCHOOL_EN,
        ("below the expected level", "difficulty staying seated", "struggles with changes"),
        ("outdoor play", "visual timetable"),
    ),
    Sample(
        "vet_en", "vet_report", "en", dt.date(2026, 2, 3), "Dr. Ruth Okafor", VET_EN,
        ("redness and dark discharge", "otitis externa", "twice daily", "Rabies", "4.6 kg", "tartar"),
        ("right ear", "Next visit"),
    ),
    Sample(
        "lab_en", "lab_result", "en", dt.date(2025, 6, 26), "Dr. Ian Cole", LAB_EN,
        ("Hemoglobin", "Ferritin", "Vitamin D"),
        ("Glucose", "Sodium"),
    ),
    Sample(
        "therapy_tr", "therapy_evaluation", "tr", dt.date(2026, 5, 12), "Selin Karaca", THERAPY_TR,
        ("aşırı duyarlıdır", "Yapışkan dokulara", "İnce motor", "duyu işlemleme bozukluğu"),
        ("Görme sorunu", "sessiz bir köşe", "seans planlan"),
    ),
    Sample(
        "school_tr", "school_assessment", "tr", dt.date(2026, 6, 18), "Murat Yalın", SCHOOL_TR,
        ("düzeyinin altında", "oturmakta zorlan", "Plan değişiklik"),
        ("Bahçe oyun", "görsel program"),
    ),
    Sample(
        "vet_tr", "vet_report", "tr", dt.date(2026, 2, 3), "Dr. Esra Tunalı", VET_TR,
        ("kızarıklık ve koyu", "otitis eksterna", "günde 2 kez", "Kuduz aşısı", "4,6 kg", "diş taşı"),
        ("Sağ kulak", "Kontrol tarihi"),
    ),
    Sample(
        "lab_tr", "lab_result", "tr", dt.date(2025, 6, 26), "Dr. Kerem Soylu", LAB_TR,
        ("Hemoglobin", "Ferritin", "D vitamini"),
        ("Glukoz", "Sodyum"),
    ),
)  # fmt: skip
