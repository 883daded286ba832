"""Chinese astronomy terms and what English papers call them: for searching English text with a Chinese question.

``TERMS`` maps a Chinese term to one or more English phrases, the commonest first; ``find_terms`` reads a text with it.
"""

from collections.abc import Iterator

# terms of a line are parted by ";", a term from its phrases and these from each other by "|"
_WRITTEN = """
哈勃常数|Hubble constant|H0; 哈勃参数|Hubble parameter; 哈勃定律|Hubble law; 哈勃张力|Hubble tension; 哈勃|Hubble
宇宙学常数|cosmological constant|lambda; 宇宙学|cosmology|cosmological; 宇宙微波背景|cosmic microwave background|CMB
微波背景|microwave background|CMB; 背景辐射|background radiation; 宇宙年龄|age of the universe; 宇宙射线|cosmic rays
宇宙线|cosmic rays|cosmic ray; 宇宙网|cosmic web; 宇宙|universe|cosmic; 加速膨胀|accelerating expansion|acceleration
膨胀|expansion; 暴胀|inflation; 暗能量|dark energy; 暗物质|dark matter; 物质密度|matter density
重子声学振荡|baryon acoustic oscillations|BAO; 重子密度|baryon density; 重子|baryon|baryonic
状态方程|equation of state; 标准烛光|standard candle; 标准汽笛|standard siren; 光学深度|optical depth
光深|optical depth; 化学成分|chemical composition|abundance; 成分|composition; 进动|precession
近日点进动|perihelion precession; 近心点进动|periastron precession; 表面重力|surface gravity; 黑子|sunspot
太阳黑子|sunspot; 太阳活动|solar activity; 氧气|oxygen; 甲烷|methane; 磁场强度|magnetic field strength
再电离|reionization; 谱指数|spectral index; 功率谱|power spectrum; 大爆炸核合成|big bang nucleosynthesis|BBN
大爆炸|big bang; 大尺度结构|large-scale structure; 原初|primordial; 丰度|abundance; 红移|redshift|z; 蓝移|blueshift
退行速度|recession velocity; 光度距离|luminosity distance; 距离模数|distance modulus; 距离阶梯|distance ladder
距离|distance; 曲率|curvature; 中微子|neutrino; 引力透镜|gravitational lensing|lens; 弱引力透镜|weak lensing|shear
强引力透镜|strong lensing; 微引力透镜|microlensing; 微透镜|microlensing; 时间延迟|time delay; 爱因斯坦|Einstein
广义相对论|general relativity; 相对论|relativity|relativistic; 普朗克|Planck
引力波|gravitational wave|GW; 并合|merger|coalescence; 合并|merger|coalescence; 双黑洞|binary black hole|BBH
黑洞|black hole; 超大质量黑洞|supermassive black hole; 中等质量黑洞|intermediate-mass black hole
恒星级黑洞|stellar-mass black hole; 黑洞阴影|black hole shadow; 事件视界望远镜|Event Horizon Telescope|EHT
事件视界|event horizon; 中子星|neutron star; 双中子星|binary neutron star|BNS; 脉冲双星|binary pulsar
毫秒脉冲星|millisecond pulsar; 脉冲星计时阵|pulsar timing array; 脉冲星|pulsar; 磁星|magnetar; 千新星|kilonova
白矮星|white dwarf|WD; 双白矮星|double white dwarf|DWD; 伽马射线暴|gamma-ray burst|GRB; 伽玛射线暴|gamma-ray burst|GRB
伽马暴|gamma-ray burst|GRB; 快速射电暴|fast radio burst|FRB; 色散量|dispersion measure; 重复暴|repeating burst
吸积盘|accretion disk; 吸积|accretion; 喷流|jet; 类星体|quasar|QSO; 活动星系核|active galactic nucleus|AGN
潮汐瓦解事件|tidal disruption event; 潮汐|tidal; 自旋|spin; 有效自旋|effective spin; 啁啾质量|chirp mass
质量比|mass ratio; 信噪比|signal-to-noise ratio|SNR; 应变|strain; 噪声|noise; 探测器|detector; 人马座|Sagittarius|Sgr
银心|Galactic center|Sgr A; 银河系中心|Galactic center|Sgr A; X射线双星|X-ray binary
恒星形成率|star formation rate|SFR; 恒星形成|star formation; 恒星质量|stellar mass; 恒星|star|stellar
恒星风|stellar wind; 主序|main sequence; 红巨星|red giant; 巨星|giant; 超巨星|supergiant; 红矮星|red dwarf|M dwarf
矮星|dwarf; 褐矮星|brown dwarf; 造父变星|Cepheid|Cepheids; 天琴座RR|RR Lyrae; 变星|variable star
周光关系|period-luminosity relation|Leavitt law; 红巨星支顶|tip of the red giant branch|TRGB
超新星|supernova|supernovae; 核坍缩|core collapse; 前身星|progenitor; 双星|binary|binary star|binaries
初始质量函数|initial mass function|IMF; 质量函数|mass function; 质光关系|mass-luminosity relation; 质量|mass
半径|radius; 直径|diameter; 光度|luminosity; 光变曲线|light curve; 有效温度|effective temperature; 温度|temperature
表面重力|surface gravity; 金属丰度|metallicity; 金属度|metallicity; 视差|parallax; 自行|proper motion
视向速度|radial velocity; 星震|asteroseismology; 自转|rotation|spin; 旋转|rotation; 耀发|flare; 耀斑|flare
球状星团|globular cluster; 疏散星团|open cluster; 星团|cluster; 星云|nebula; 尘埃|dust; 消光|extinction
红化|reddening; 星际介质|interstellar medium|ISM; 星际|interstellar; 分子云|molecular cloud; 年龄|age; 寿命|lifetime
演化|evolution; 星族合成|population synthesis; 星族|stellar population
银河系|Milky Way|Galaxy; 仙女座|Andromeda|M31; 仙女星系|Andromeda|M31; 麦哲伦云|Magellanic Cloud
大麦哲伦云|Large Magellanic Cloud|LMC; 小麦哲伦云|Small Magellanic Cloud|SMC; 星系团|galaxy cluster
星系|galaxy|galaxies; 矮星系|dwarf galaxy; 椭圆星系|elliptical galaxy; 旋涡星系|spiral galaxy
子弹星系团|Bullet Cluster; 自转曲线|rotation curve; 旋转曲线|rotation curve; 塔利-费舍尔|Tully-Fisher
速度弥散|velocity dispersion; 核球|bulge; 晕|halo; 厚盘|thick disk; 盘|disk|disc
莱曼阿尔法|Lyman alpha|Lyman-alpha|Lya; 光谱|spectrum|spectra; 谱线|spectral line; 发射线|emission line
吸收线|absorption line; 巡天|survey
系外行星|exoplanet|extrasolar planet; 热木星|hot Jupiter; 超级地球|super-Earth; 行星|planet; 凌星|transit
凌日|transit; 宜居带|habitable zone; 大气|atmosphere; 轨道周期|orbital period; 轨道|orbit|orbital
公转周期|orbital period; 自转周期|rotation period; 周期|period; 偏心率|eccentricity; 离心率|eccentricity
倾角|inclination; 半长轴|semi-major axis; 近日点|perihelion; 双曲线|hyperbolic; 彗星|comet; 彗发|coma; 彗差|coma
小行星|asteroid; 星际天体|interstellar object; 星际彗星|interstellar comet; 卫星|moon|satellite; 太阳系|solar system
太阳质量|solar mass; 太阳半径|solar radius; 太阳|Sun|solar; 日冕|corona|coronal; 色球|chromosphere; 太阳风|solar wind
月球|Moon|lunar; 月亮|Moon|lunar; 地球|Earth; 火星|Mars; 金星|Venus; 水星|Mercury; 木星|Jupiter; 土星|Saturn
天王星|Uranus; 海王星|Neptune; 冥王星|Pluto; 柯伊伯带|Kuiper belt; 奥尔特云|Oort cloud; 比邻星|Proxima Centauri
半人马座|Centauri; 参宿四|Betelgeuse; 天狼星|Sirius; 织女星|Vega; 云带|cloud band; 云|cloud; 风速|wind speed
望远镜|telescope; 射电|radio; 红外|infrared; 光学|optical; 紫外|ultraviolet; X射线|X-ray; 伽马射线|gamma-ray|gamma ray
干涉仪|interferometer; 干涉|interferometry; 测光|photometry; 天体测量|astrometry; 偏振|polarization
视星等|apparent magnitude; 绝对星等|absolute magnitude; 星等|magnitude; 色指数|color index; 颜色|color|colour
流量|flux; 亮度|brightness|magnitude; 角分辨率|angular resolution; 频率|frequency; 波长|wavelength; 频段|band
波段|band; 能量|energy; 磁场|magnetic field; 密度|density; 速度|velocity|speed; 速率|rate|speed; 加速度|acceleration
压强|pressure; 事件率|event rate; 不确定度|uncertainty; 误差|uncertainty|error; 置信度|confidence; 显著性|significance
上限|upper limit; 下限|lower limit; 样本|sample; 模型|model; 模拟|simulation; 软件|software|package; 程序包|package
软件包|package|software; 编程语言|programming language|Python; 算法|algorithm; 贝叶斯|Bayesian; 先验|prior
似然|likelihood; 选择效应|selection effects; 公式|equation|formula; 方程|equation; 观测|observation|observed
测量|measurement|measured; 探测|detection|detected; 发现|discovery|discovered; 巡视|monitoring
辐射|radiation|emission; 爆发|burst|outburst; 爆炸|explosion; 坍缩|collapse; 合成|synthesis; 化学|chemical|chemistry
元素|element; 氢|hydrogen; 氦|helium; 锂|lithium; 碳|carbon; 氧|oxygen; 铁|iron; 氘|deuterium; 水|water; 甲烷|methane
二氧化碳|carbon dioxide; 一氧化碳|carbon monoxide; 第一电离势|first ionization potential|FIP; 电离|ionization
等离子体|plasma; 冷却|cooling; 加热|heating; 环|loop|ring
角功率谱|angular power spectrum; 臂长|arm length; 初始|initial; 因子|factor; 假设|assume|assumption
Ia型超新星|type Ia supernova|SN Ia; 超新星遗迹|supernova remnant; 核塌缩超新星|core-collapse supernova
双星并合|binary merger; 银晕|Galactic halo; 银盘|Galactic disk; 脉冲星计时阵列|pulsar timing array|PTA; M矮星|M dwarf
渐近巨星支|asymptotic giant branch|AGB; 完全对流|fully convective; 对流|convection|convective; 密近双星|close binary
公共包层|common envelope; 物质转移|mass transfer; 恒星形成历史|star formation history|SFH
元素丰度|elemental abundance; 双星比例|binary fraction; 双星率|binary fraction; 行星状星云|planetary nebula
赛弗特星系|Seyfert galaxy; 质光比|mass-to-light ratio; 行星系统|planetary system; 原行星盘|protoplanetary disk
彗尾|tail; 近地小行星|near-Earth asteroid; 海王星外天体|trans-Neptunian object|TNO; 光环|ring; 太阳耀斑|solar flare
冕环|coronal loop; 冕|corona|coronal; 日冕加热|coronal heating; 光球|photosphere; 纳耀斑|nanoflare; 太阳黑子|sunspot
太阳中微子|solar neutrino; 日震|helioseismology; 水冰|water ice; 反照率|albedo; 反射率|reflectance|reflectivity
相位角|phase angle; 双曲轨道|hyperbolic orbit; 质量上限|mass limit; 光谱型|spectral type; 发射量度|emission measure
通量|flux; 近红外|near-infrared; 形成效率|formation efficiency; 形成|formation; 误报率|false positive rate
误检率|false positive rate; 灵敏度|sensitivity; 前景|foreground; 混淆噪声|confusion noise; 视界距离|horizon distance
空间望远镜|space telescope; 韦布|JWST|Webb; 詹姆斯韦布|JWST|James Webb; 凯克|Keck; 盖亚|Gaia; 开普勒|Kepler
斯隆|SDSS|Sloan; 牛顿望远镜|XMM-Newton; 激光干涉|LIGO; 空间引力波|LISA; 天琴|TianQin; 日出卫星|Hinode
数值模拟|numerical simulation; 层级贝叶斯|hierarchical Bayesian; 后验|posterior; 种群|population; 分辨率|resolution
滤光片|filter; 校准|calibration; 曝光|exposure; 光度函数|luminosity function; 引力红移|gravitational redshift
极移|polar motion; 近极|near-polar|polar; 纬度|latitude; 宿主星系|host galaxy; 半人马座阿尔法|Alpha Centauri
蟹状星云|Crab Nebula; 室女座|Virgo; 奥陌陌|Oumuamua|1I; 鲍里索夫|Borisov|2I; 巴耳末|Balmer
飞马座51|51 Pegasi|51 Peg; 钱德拉塞卡|Chandrasekhar; 钱德拉塞卡极限|Chandrasekhar limit|Chandrasekhar mass
赫尔斯|Hulse; 泰勒|Taylor; 夏皮罗延迟|Shapiro delay; 莱曼阿尔法森林|Lyman alpha forest; 萨尔皮特|Salpeter
克鲁帕|Kroupa; 赫罗图|Hertzsprung-Russell diagram|color-magnitude diagram; 爱丁顿|Eddington; 史瓦西|Schwarzschild
克尔|Kerr; 霍金|Hawking; 牛顿|Newton|Newtonian; 兹威基|Zwicky; 勒梅特|Lemaitre; 勒维特|Leavitt; 鲁宾|Rubin
彭齐亚斯|Penzias; 德西特|de Sitter; 旅行者|Voyager; 卡西尼|Cassini; 罗塞塔|Rosetta; 新视野|New Horizons
钱德拉|Chandra; 费米|Fermi; 雨燕|Swift; 詹姆斯·韦布|JWST|James Webb; 哈勃空间望远镜|Hubble Space Telescope|HST
哈勃望远镜|Hubble Space Telescope|HST; 空间干涉仪|LISA; 激光干涉仪|laser interferometer|LIGO; 郭守敬望远镜|LAMOST
天眼|FAST; 中国天眼|FAST; 慧眼|Insight-HXMT; 太极|Taiji; 悟空|DAMPE; 嫦娥|Chang'e; 土卫二|Enceladus; 土卫六|Titan
木卫一|Io; 木卫二|Europa; 木卫三|Ganymede; 木卫四|Callisto; 海卫一|Triton; 冥卫一|Charon; 火卫一|Phobos; 谷神星|Ceres
灶神星|Vesta; 阋神星|Eris; 赛德娜|Sedna; 贝努|Bennu; 龙宫|Ryugu; 哈雷彗星|Halley; 小行星带|asteroid belt
特洛伊|Trojan; 修正牛顿动力学|MOND|modified Newtonian dynamics; 轴子|axion; 弱相互作用|WIMP|weakly interacting
直接探测|direct detection; 偶极|dipole; 各向异性|anisotropy|anisotropies; 各向同性|isotropic; 黑体|blackbody
声视界|sound horizon; 声学峰|acoustic peak; 平坦|flat|flatness; 空间曲率|spatial curvature; 纳赫兹|nanohertz
随机背景|stochastic background; 引力波背景|gravitational-wave background; 恒星流|stellar stream; 星流|stellar stream
引力子|graviton; 光速|speed of light; 引力常数|gravitational constant; 太阳常数|solar constant|solar irradiance
太阳活动周|solar cycle; 太阳活动|solar activity; 较差自转|differential rotation; 中微子振荡|neutrino oscillation
中微子质量|neutrino mass; 中微子种数|number of neutrino species|effective number of neutrinos; 磷化氢|phosphine
水蒸气|water vapor|water vapour; 水汽|water vapor|water vapour; 日球层|heliosphere; 终端激波|termination shock
激波|shock; 磁层|magnetosphere; 磁化|magnetized; 法拉第|Faraday; 旋转量|rotation measure
星系际介质|intergalactic medium|IGM; 星际尘埃|interstellar dust; 恒星形成率密度|star formation rate density
淬灭|quenching; 质量半径关系|mass-radius relation; 半径谷|radius gap|radius valley; 出现率|occurrence rate
发生率|occurrence rate|rate; 透射谱|transmission spectrum; 透射光谱|transmission spectrum; 斜率|slope
最大质量|maximum mass; 潮汐形变|tidal deformability; 抛射物|ejecta; 抛射|ejected|ejecta; 快中子俘获|r-process
中子俘获|neutron capture; 重元素|heavy elements; 锶|strontium; 金|gold; 并合率|merger rate; 合并率|merger rate
质量间隙|mass gap; 质量分布|mass distribution; 张标比|tensor-to-scalar ratio; 非高斯性|non-Gaussianity
涨落幅度|fluctuation amplitude|sigma8; 物质涨落|matter fluctuations|sigma8; 涨落|fluctuations; 结构|structure
暗能量状态方程|dark energy equation of state; 物质密度参数|matter density parameter|matter density
密度参数|density parameter; 密度涨落|density fluctuations; 原初氦|primordial helium; 氦丰度|helium abundance
氘丰度|deuterium abundance|D/H; 锂问题|lithium problem; 红移巡天|redshift survey; 星系巡天|galaxy survey
巡天望远镜|survey telescope; 暗物质晕|dark matter halo; 暗晕|dark matter halo; 子晕|subhalo; 卫星星系|satellite galaxy
伴星系|companion galaxy; 伴星|companion; 主星|primary; 宿主恒星|host star; 母恒星|host star; 宿主|host
恒星光谱|stellar spectrum; 光变|variability; 变源|transient; 暂现源|transient; 余辉|afterglow
电磁对应体|electromagnetic counterpart; 对应体|counterpart; 多信使|multi-messenger; 定位|localization; 天区|sky area
持续时间|duration; 到达时间|arrival time; 时间|time; 时标|timescale; 延迟|delay; 频率漂移|frequency drift; 峰值|peak
幅度|amplitude; 振幅|amplitude; 比例|fraction|ratio; 比率|ratio; 分数|fraction; 概率|probability; 数量|number
数目|number; 大小|size; 尺寸|size; 长度|length; 宽度|width; 高度|height|altitude; 体积|volume; 面积|area
厚度|thickness; 角直径|angular diameter; 角大小|angular size; 直径大小|diameter; 阴影|shadow; 光子环|photon ring
亮环|bright ring; 自引力|self-gravity; 引力|gravity|gravitational; 重力|gravity; 潮汐力|tidal force
角动量|angular momentum; 动量|momentum; 能谱|energy spectrum; 连续谱|continuum; 热辐射|thermal emission
同步辐射|synchrotron; 康普顿|Compton; 苏尼亚耶夫|Sunyaev; 吸积率|accretion rate; 质量损失|mass loss; 星风|stellar wind
恒星演化|stellar evolution; 恒星核|stellar core; 核合成|nucleosynthesis; 核聚变|nuclear fusion
氢燃烧|hydrogen burning; 白矮星冷却|white dwarf cooling; 中子星质量|neutron star mass; 脉冲星质量|pulsar mass
双脉冲星|double pulsar; 双致密星|compact binary; 致密双星|compact binary; 致密天体|compact object
轨道衰减|orbital decay; 轨道频率|orbital frequency; 轨道参数|orbital parameters; 轨道倾角|orbital inclination
自转轴|spin axis; 近星点|periastron; 远日点|aphelion; 进动|precession; 共振|resonance
平运动共振|mean-motion resonance; 潮汐锁定|tidally locked; 岩石行星|rocky planet|terrestrial planet
类地行星|terrestrial planet|Earth-like planet; 气态巨行星|gas giant; 冰巨行星|ice giant; 亚海王星|sub-Neptune
第九行星|Planet Nine; 矮行星|dwarf planet; 流浪行星|free-floating planet; 宜居|habitable; 生命|life; 海洋|ocean
火山|volcano|volcanic; 撞击|impact; 陨石|meteorite; 陨石坑|crater; 表面温度|surface temperature; 表面|surface
内部|interior; 内核|inner core|core; 核心|core; 地幔|mantle; 羽流|plume; 喷泉|plume|geyser; 彗核|nucleus
核半径|nucleus radius; 彗星活动|cometary activity; 活动性|activity; 尘埃盘|debris disk|dust disk; 残骸盘|debris disk
星周盘|circumstellar disk; 原恒星|protostar; 猎户座|Orion; 金牛座|Taurus; 昴星团|Pleiades; 毕星团|Hyades
天鹅座|Cygnus; 船底座|Carina; 英仙座|Perseus; 后发座|Coma; 后发星系团|Coma cluster; 室女星系团|Virgo cluster
本星系群|Local Group; 本地泡|Local Bubble; 大质量恒星|massive star; 低质量恒星|low-mass star
类太阳恒星|solar-type star|Sun-like star; 太阳型|solar-type; 第三星族|Population III; 第一代恒星|first stars
最早|earliest|first; 最远|most distant|farthest; 最大|largest|maximum; 最小|smallest|minimum; 平均|average|mean
总|total; 高红移|high-redshift; 早期宇宙|early universe; 可观测宇宙|observable universe; 宇宙黎明|cosmic dawn
宇宙方差|cosmic variance; 黑暗时代|dark ages; 21厘米|21-cm|21 cm; 系统误差|systematic uncertainty|systematics
统计误差|statistical uncertainty; 精度|precision|accuracy; 检测|detection|detect; 搜寻|search; 预测|prediction|predict
拟合|fit; 参数|parameter; 常数|constant; 极限|limit; 理论|theory; 机制|mechanism; 原因|cause|origin; 起源|origin
来源|source|origin; 性质|properties; 特征|feature; 证据|evidence; 关系|relation; 相关|correlation
反相关|anti-correlation; 许可证|license|licence; 开源|open source; 语言|language; 代码|code; 数据库|database
数据|data; 目录|catalog|catalogue; 星表|catalog|catalogue; 源|source; 事件|event; 信号|signal; 周期性|periodic
相位|phase; 角度|angle; 成员|member; 团队|team; 合作组|collaboration; 功能|function; 方法|method; 仪器|instrument
相机|camera; 光谱仪|spectrograph; 分光|spectroscopy; 滤波器|filter; 像素|pixel; 图像|image; 成像|imaging
校正|correction; 背景|background; 本底|background; 通道|channel; 波形|waveform; 灵敏度曲线|sensitivity curve
银河系双星|Galactic binary; 恒星级双星|stellar-origin binary; 引力波源|gravitational-wave source
引力波事件|gravitational-wave event; 引力波探测器|gravitational-wave detector
空间引力波探测器|space-based gravitational-wave detector|LISA; 超新星爆发|supernova explosion
热核超新星|thermonuclear supernova; 电子俘获|electron capture; 坍缩星|collapsar; 超亮超新星|superluminous supernova
新星|nova; 恒星黑洞|stellar black hole; 种子黑洞|black hole seed; 原初黑洞|primordial black hole
黑洞质量|black hole mass; 黑洞自旋|black hole spin; 星系质量|galaxy mass; 星系中心|galactic nucleus|galaxy center
核球质量|bulge mass; 速度场|velocity field; 切向速度|tangential velocity; 逃逸速度|escape velocity
轨道速度|orbital velocity; 公转|orbit|revolution; 天文单位|astronomical unit|au; 光年|light-year; 秒差距|parsec
开尔文|kelvin; 宇宙学红移|cosmological redshift; 光行时|light travel time; 太阳附近|solar neighborhood; 邻近|nearby
离地球|Earth; 南极|South Pole; 北极|north pole; 极区|polar region; 赤道|equator|equatorial
磁重联|magnetic reconnection; 日冕物质抛射|coronal mass ejection|CME; 太阳高能粒子|solar energetic particles
蒸发|evaporation; 辐射损失|radiative losses|radiative cooling; 辐射冷却|radiative cooling; 光学薄|optically thin
活动区|active region; 宁静太阳|quiet Sun; 环系|ring system; 尘埃环|dusty ring|ring; 内卫星|inner moon
不规则卫星|irregular moon|irregular satellite; 颜色梯度|color gradient; 光谱斜率|spectral slope; 吸收|absorption
散射|scattering; 折射|refraction; 反射|reflection; 质子|proton; 电子|electron; 光子|photon; 中子|neutron; 原子|atom
分子|molecule; 气体|gas; 冰|ice; 岩石|rock; 碳酸|carbonate; 甲醇|methanol; 氰|cyanide|CN; 钠|sodium; 镁|magnesium
硅|silicon; 硫|sulfur; 钙|calcium; 氮|nitrogen; 氖|neon; 氩|argon; 镍|nickel; 铀|uranium
"""


def _terms() -> Iterator[tuple[str, tuple[str, ...]]]:
    for item in _WRITTEN.strip().replace("\n", "; ").split("; "):
        chinese, *phrases = item.split("|")
        yield chinese, tuple(phrases)


TERMS: dict[str, tuple[str, ...]] = dict(_terms())
_LONGEST = max(len(term) for term in TERMS)


def find_terms(text: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Return (begin, end, English phrases) of every known term in *text*, in its order; the longest term wins."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    at = 0
    while at < len(text):
        sizes = range(min(_LONGEST, len(text) - at), 0, -1)
        size = next((size for size in sizes if text[at : at + size] in TERMS), 0)
        if size:
            found.append((at, at + size, TERMS[text[at : at + size]]))
        at += size or 1
    return tuple(found)
