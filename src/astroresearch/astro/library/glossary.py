"""Astronomy's words in both languages for the search: the shared glossary, and the short forms that papers index.

A question in one language finds a paper in the other, and SNR finds "signal-to-noise ratio". One line of ``MORE`` is a
term: the Chinese word, then English forms that ``locales.glossary`` does not give for it.
"""

from functools import cache

from ...locales.glossary import TERMS
from .words import Group, groups, stem

MORE = """
宇宙学常数|lambda
加速膨胀|acceleration
重子|baryonic
大爆炸核合成|BBN
角功率谱|angular power spectrum
臂长|arm length
初始|initial
因子|factor
假设|assume|assumption
弱引力透镜|shear
红移|z
造父变星|Cepheids
Ia型超新星|type Ia supernova|SN Ia
超新星遗迹|supernova remnant
超新星|supernovae
核塌缩超新星|core-collapse supernova
引力波|GW
双黑洞|BBH
双中子星|BNS
双星并合|binary merger
事件视界望远镜|EHT
银河系中心|Sgr A
银心|Sgr A
人马座|Sgr
银晕|Galactic halo
银盘|Galactic disk
脉冲星计时阵列|pulsar timing array|PTA
伽马射线|gamma ray
白矮星|WD
双白矮星|DWD
M矮星|M dwarf
渐近巨星支|asymptotic giant branch|AGB
完全对流|fully convective
对流|convection|convective
双星|binaries
密近双星|close binary
公共包层|common envelope
物质转移|mass transfer
恒星形成率|SFR
恒星形成历史|star formation history|SFH
元素丰度|elemental abundance
双星比例|binary fraction
双星率|binary fraction
星际介质|ISM
行星状星云|planetary nebula
星系|galaxies
赛弗特星系|Seyfert galaxy
质光比|mass-to-light ratio
系外行星|extrasolar planet
行星系统|planetary system
原行星盘|protoplanetary disk
彗尾|tail
近地小行星|near-Earth asteroid
海王星外天体|trans-Neptunian object|TNO
光环|ring
太阳耀斑|solar flare
冕环|coronal loop
冕|corona|coronal
日冕加热|coronal heating
光球|photosphere
纳耀斑|nanoflare
太阳黑子|sunspot
太阳中微子|solar neutrino
日震|helioseismology
水冰|water ice
反照率|albedo
反射率|reflectance|reflectivity
相位角|phase angle
自转|spin
双曲轨道|hyperbolic orbit
质量上限|mass limit
亮度|magnitude
光谱型|spectral type
发射量度|emission measure
通量|flux
近红外|near-infrared
宇宙线|cosmic ray
形成效率|formation efficiency
形成|formation
信噪比|SNR
误报率|false positive rate
误检率|false positive rate
灵敏度|sensitivity
前景|foreground
混淆噪声|confusion noise
视界距离|horizon distance
空间望远镜|space telescope
韦布|JWST|Webb
詹姆斯韦布|JWST|James Webb
凯克|Keck
盖亚|Gaia
开普勒|Kepler
斯隆|SDSS|Sloan
牛顿望远镜|XMM-Newton
激光干涉|LIGO
空间引力波|LISA
天琴|TianQin
日出卫星|Hinode
软件包|software
数值模拟|numerical simulation
层级贝叶斯|hierarchical Bayesian
后验|posterior
种群|population
分辨率|resolution
滤光片|filter
校准|calibration
曝光|exposure
光度函数|luminosity function
周光关系|Leavitt law
引力红移|gravitational redshift
极移|polar motion
近极|near-polar|polar
纬度|latitude
宿主星系|host galaxy
半人马座阿尔法|Alpha Centauri
仙女座|M31
蟹状星云|Crab Nebula
室女座|Virgo
奥陌陌|Oumuamua|1I
鲍里索夫|Borisov|2I
莱曼阿尔法|Lyman-alpha|Lya
巴耳末|Balmer
"""


@cache
def chinese() -> dict[str, tuple[Group, ...]]:
    """Return Chinese word -> its English forms, each as index words."""
    forms = {word.lower(): list(phrases) for word, phrases in TERMS.items()}
    for line in MORE.strip().splitlines():
        word, *more = line.split("|")
        forms.setdefault(word.lower(), []).extend(more)
    return {word: tuple(_words(phrase) for phrase in phrases) for word, phrases in forms.items()}


def _words(phrase: str) -> Group:
    return tuple(group[0] for group in groups(phrase) if group[0] not in ("of", "the"))


@cache
def english() -> dict[Group, tuple[Group, ...]]:
    """Return the stems of an English form -> the other forms of the same term, Chinese ones as pairs of characters."""
    found: dict[Group, list[Group]] = {}
    for word, forms in chinese().items():
        pairs = tuple(pair for group in groups(word) for pair in group)
        for form in forms:
            known = found.setdefault(tuple(map(stem, form)), [])
            known.extend(other for other in (*forms, pairs) if other != form and other not in known)
    return {key: tuple(others) for key, others in found.items()}
