"""The words that a question is made of but that say nothing, or little, about what it asks for."""

import re

from .words import stem

_GLUE = """
a about above after all also am amount an and another any are as at be been being between both but by can compare
compared comparing comparison could did difference differ different do does doing done each either else ever every
explain for from get give given gives had has have having he her here his how i if in into is it its itself just kind
know let like look make makes many may me mean means might more most much must my near need no nor not of off on one
only or other our out over per please quote quoted rather report reported reports said same say says see shall she
should show shown since so some such tell than that the their them then there these they this those three through to
too two towards under until up upon us versus via vs want was we were what whats when where whether which while who
whom whose why will with within would you your describe summarize summarise summary according papers paper library
literature question answer short briefly sentence now hi hello thanks really exactly roughly approximately around
currently typical typically actually often usually value values number numerical much uncertainty respectively come
"""
_GENERIC = """
measured discovered detected determined observed observation derived inferred estimated obtained used using use found
find calculated computed published current known main called named name object authors author work study result best
first new data analysis method source team scientists astronomers people year happen occur based expected predicted
total average mean approximate overall take place present intrinsic physical total observed apparent orbital effective
assumed adopted set fit fitted purpose unit units terms term produced produce reach reached held hold holds strong
stronger following compared correspond corresponding depend depends yield initial full final typical large small
"""
GLUE = frozenset(_GLUE.split())
GENERIC = frozenset(map(stem, _GENERIC.split()))
# what a name may be introduced as
_CLASSES = """
pulsar star galaxy planet exoplanet comet asteroid moon satellite cluster nebula quasar blazar magnetar dwarf system
object event telescope mission survey detector instrument collaboration team
"""
CLASSES = frozenset(map(stem, _CLASSES.split()))
# words that tell one name from its neighbour: the Large Magellanic Cloud is not the Small one
CONTRASTS = frozenset(map(stem, ("large", "small", "great", "little", "north", "south", "northern", "southern")))
UNIT_WORDS = frozenset(
    map(
        stem,
        (
            "parsec",
            "parsecs",
            "kpc",
            "mpc",
            "km",
            "kilometers",
            "kilometres",
            "days",
            "hours",
            "minutes",
            "seconds",
            "kelvin",
        ),
    )
)

CHINESE_GLUE = re.compile(
    "请问|请|什么是|是什么|什么|为什么|为何|多少|多大|多远|多长|多久|多高|多重|多快|多亮|如何|怎么样|怎么|怎样|哪一年|哪一个|哪年|哪个|哪些|哪颗|"
    "哪里|哪种|几个|几颗|何时|时候|谁|告诉我|告诉|给出|解释|介绍|描述|根据|关于|之间|是否|有没有|以及|或者|论文|文章|文献|作者|数值|大约|大概|这个|那个|"
    "这些|那些|这颗|那颗|我们|他们|它们|它|比较|对比|相比|区别|不同|差别|分别|使用|采用|利用|通过|基于|研究|工作|结果|用于|用来|可以|能够|能|主要|目前|已知|"
    "所|得到|得出|给|名字|名称|叫|等于|具有|存在|进行|认为|表明|文中|该|其|如果|那么|因为|所以|第一|首次|最|很|比|等|个|颗|篇|种|次|年|月|日|用途|作用|"
    "意义|含义|情况|影响|方面|左右|单位|接近|到达|测得|测定|测出|算出|估计|估算|范围|写成|编写|写|做|"
    "[的了吗呢吧是在和与对从到及把被为中有我你得着过也都就还上下里值会由以于而将其之各每或多大小高低何几一二三四五六七八九十两用]"
)

# other names of one thing that no glossary entry brings together
ALIASES: tuple[tuple[str, ...], ...] = (
    ("Sagittarius A", "Sgr A", "SgrA", "Galactic center", "Galactic centre"),
    ("M87", "Messier 87"),
    ("Dark Energy Survey", "DES"),
    ("M31", "Andromeda"),
    ("Proxima Centauri", "Proxima"),
    ("redshift", "z"),
    ("merger", "merge", "coalescence"),
    ("optical depth", "tau"),
    ("matter density", "omega m", "Omega_m"),
    ("fluctuation amplitude", "sigma8", "sigma_8"),
    ("spectroscopy", "spectroscopic", "spectrum"),
    ("dark matter", "DM"),
    ("black hole", "BH", "black holes"),
    ("neutron star", "NS", "neutron stars"),
    ("binary black hole", "BBH", "binary black holes"),
    ("signal-to-noise", "SNR", "signal to noise"),
    ("programming language", "Python"),
    ("licence", "license"),
    ("moon", "satellite"),
    ("exoplanet", "planet"),
)
