/**
 * The one list of words that fair-housing rules warn of, as patterns of whole words. Data only; `warn-of-words.ts` reads it.
 *
 * Sources:
 * - Fair Housing Act, 42 U.S.C. 3604(c), and 24 CFR 100.75: no advertisement that shows a preference or a limit by race,
 *   color, religion, sex, handicap, familial status or national origin. What counts is how an ordinary reader takes it.
 * - 24 CFR 109.20 (withdrawn in 1996, still what MLSs cite): its examples of words.
 * - HUD's memorandum of January 9, 1995 on section 804(c) (Achtenberg): which words are no violation.
 * - The word list of the National Association of REALTORS, as state associations publish it (New York: nysar.com, Brokers'
 *   Reference Manual): "describe the property", not the people.
 * - Source of income: no class of the federal act, but of many states (California, New York, Oregon, Washington and more).
 *
 * Left out on purpose, by HUD's memorandum or because they describe the house: master bedroom, bachelor apartment,
 * mother-in-law suite, family room, single-family home, walking distance, great view, quiet streets, desirable neighborhood,
 * handicap accessible, wheelchair ramp, no smoking, credit check, chapel, kosher, Christmas, and words with a fact behind them,
 * such as board approval, 55+ and gated community. Styles are no people either: Spanish home, French doors, Persian rug.
 *
 * Patterns match text in lower case without accents and apostrophes, where a hyphen is a space and `|` is other punctuation.
 */

export interface WordGroup {
  /** What advertisements may show no preference by. */
  readonly about: string;
  /** Who says so; the federal act by default. */
  readonly law?: string;
  readonly patterns: readonly string[];
  /** A text that matches this may say the words. */
  readonly unless?: string;
}

const PLACES = '(?:neighbou?rhoods?|community|communities|area(?! rugs?)|enclave)';
const PEOPLE =
  '(?:families|family(?! rooms?)|people|persons?|tenants?|renters?|buyers?|residents?|neighbors|couples?|households?|homeowners)';
const ONES = `(?:${PLACES}|${PEOPLE}|only|preferred|welcome)`;
const HOMES = '(?:homes?|houses?|residences?)';
/** Begins a sentence about who should live there. */
const FOR =
  '(?:perfect|ideal|great|best|suited|suitable|designed|made|meant|built|intended)(?: home| house)? for';
const YOUNG = '(?:young|growing|large|big|new|small|busy|active|retired|single|mature|working|older)';
/** Words that make `family` part of a thing: `perfect for a family dinner`. */
const NO_THING =
  '(?! (?:and friends|barbecues?|bbqs?|breakfasts?|celebrations?|dinners?|fun|gatherings?|get|holidays?|meals?|movies?|nights?|parties|reunions?|rooms?|time|game|games|visits?|life))';

const ORIGINS =
  '(?:african|arab|armenian|asian|brazilian|chinese|cuban|dominican|ethnic|filipino|french|german|greek|haitian|hungarian|indian|iranian|irish|italian|jamaican|japanese|korean|mexican|middle eastern|minority|pakistani|persian|philippine|polish|portuguese|russian|somali|spanish|ukrainian|vietnamese|native american)';
/** Describe people and nothing else. */
const PEOPLES =
  '(?:hispanics?|latin[oax]s?|chican[oa]s?|caucasians?|negroe?s?|african americans?|mexican americans?|puerto ricans?|asian americans?|american indians?)';
const FAITHS =
  '(?:christian|catholic|protestant|jewish|muslim|islamic|mormon|lds|hindu|sikh|buddhist|evangelical|baptist|orthodox)';
const NEAR =
  '(?:near|nearby|next to|close to|closest to|around the corner from|across from|blocks? (?:from|to)|steps (?:from|to)|minutes (?:from|to)|walk to|walking distance (?:of|to|from))';
const NO_ROAD = '(?! (?:st|street|rd|road|ave|avenue|ln|lane|hill|creek|farm|university|square))';

export const FAIR_HOUSING: readonly WordGroup[] = [
  {
    about: 'race or color',
    patterns: [
      `(?:white|black|colored|biracial|interracial) ${ONES}`,
      `(?:white|black|colored) private ${HOMES}`,
      'no (?:whites|blacks|minorities|coloreds?)',
      '(?:whites|blacks) (?:only|preferred|welcome)',
      `(?:racially|ethnically) \\S+ ${PLACES}`,
      `(?:exclusive|restricted|integrated|segregated|diverse|multicultural|traditional) ${PLACES}`,
      'changing (?:neighbou?rhood|community)',
      // Of who lives around the house: the REALTORS call it steering.
      `safe (?:${PLACES}|streets?)`,
      'low crime',
      'crime free',
      'vecindario seguro',
    ],
  },
  {
    about: 'national origin',
    patterns: [
      PEOPLES,
      `oriental ${ONES}`,
      `${ORIGINS} ${ONES}`,
      'no (?:foreigners|immigrants|migrants?|aliens|refugees|mexicans|chinese|indians|arabs)',
      '(?:american born|real americans?|citizens only|us citizens)',
      '(?:must|only) speak english',
      'english only',
      // Without `speaking` alone: an agent says which languages they speak.
      `(?:english|spanish|chinese|mandarin|korean|russian|arabic) (?:speakers? (?:only|preferred|wanted)|speaking ${ONES})`,
    ],
  },
  {
    about: 'religion',
    patterns: [
      `${FAITHS} (?:${ONES}|${HOMES}|values|owners?|landlord|atmosphere|lifestyle)`,
      'no (?:christians|catholics|jews|muslims|mormons|hindus|atheists)',
      '(?:christians|catholics|jews|muslims|mormons|hindus) (?:only|preferred|welcome)',
      '(?:god fearing|faith based|church going|churchgoing)',
      '(?:synagogues?|mosques?|shul|eruv)',
      `${NEAR} (?:[^ |]+ ){0,4}?(?:church|churches|cathedral|(?:the|a|lds|mormon|hindu|buddhist) temple)${NO_ROAD}`,
      'solo cristianos',
    ],
  },
  {
    about: 'sex',
    patterns: [
      '(?:females?|males?|women|woman|men|man|ladies|lady|gentlem[ae]n|girls|boys|gals|guys) (?:only|preferred|wanted)',
      'no (?:men|women|males|females|girls|boys|gays|lesbians|homosexuals|transgenders?)',
      'single (?:woman|women|man|men|lady|ladies|gentlem[ae]n|females?|males?|mothers?|moms?|dads?|fathers?)',
      `${FOR} (?:a |the |any )?(?:(?:single|busy) )?(?:woman|women|man|men|ladies|lady|gentlem[ae]n|bachelors?|bachelorettes?|husband|wife)`,
      '(?:bachelor|bachelorette) pads?',
      '(?:straights?|heterosexuals?) (?:only|preferred|couples?)',
      'husband and wife',
      'solo (?:mujeres|hombres|damas|caballeros)',
    ],
  },
  {
    about: 'handicap',
    patterns: [
      'able bod(?:y|ied)',
      'must be able to (?:climb|walk|use stairs)',
      'able to live (?:alone|independently)',
      '(?:capable of independent living|must be self sufficient)',
      'no (?:wheel ?chairs?|handicapped|disabled|disabilities|cripples?|blind(?! (?:spots?|corners?|alleys?))|deaf|mentally ill|group homes?|service (?:animals?|dogs?)|emotional support animals?|aids|hiv|alcoholics)',
      '(?:not(?: suitable| suited| meant| recommended)?|unsuitable|unsuited) for (?:the |a )?(?:handicapped|disabled|elderly|wheel ?chairs?|wheelchair users?|(?:people|persons|those) with (?:disabilities|mobility))',
      '(?:handicapped|disabled)(?: people| persons)? (?:not|need not|unwelcome)',
      '(?:healthy|agile|physically fit|mentally healthy) (?:only|adults?|people|persons?|individuals?|tenants?|buyers?|residents?|couples?)',
      `${FOR} (?:the )?(?:healthy|agile|physically fit|physically active)`,
      '(?:mentally|emotionally|physically) (?:ill|handicapped|challenged|retarded|disabled)',
      '(?:crippled?|cripples|retarded|retard|invalids|wheelchair bound)',
    ],
  },
  {
    about: 'familial status',
    patterns: [
      'adults? only',
      'only (?:for )?adults',
      'adults? (?:building|community|communities|complex|living|lifestyle|park|residence|home|preferred)',
      'no (?:kids?|child|children|babies|baby|infants?|toddlers?|teens?|teenagers|minors|families|newborns)',
      '(?:kids?|children|families) (?:are )?(?:not|unwelcome|prohibited)',
      '(?:child|kid)(?:ren|s)? ?free',
      'childless',
      '(?:not (?:suitable|suited|appropriate|recommended|ideal)|unsuitable|unsuited) for (?:young |small )?(?:kids|children|families)',
      '(?:one|two|1|2) (?:child|children|kids?)(?: only| max| maximum)',
      '(?:family|families|kid|kids|child|children) (?:friendly|oriented|focused|welcome|preferred)',
      // Not of a single-family or a multi-family house.
      '(?<!(?:multi|multiple|single|one|two|three|four|2|3|4) )(?:family|kids?) (?:neighbou?rhood|community|atmosphere)',
      '(?:traditional|growing|young) (?:families|family(?! rooms?))',
      `${FOR} (?:a |an |the |your |any |all )?(?:${YOUNG} )*(?:families|couples?|singles|kids|children|professionals?|retirees?|seniors?|students?|newlyweds?|empty nesters?)`,
      `${FOR} (?:a |the |your |any )(?:${YOUNG} )*family${NO_THING}`,
      'empty nesters?',
      'newlyweds?',
      'retirees?',
      'golden agers?',
      '(?:singles?|couples?|married couples?|students?|retirees?|seniors?|professionals?) (?:only|preferred|wanted)',
      'no (?:singles|couples|students|seniors|unmarried)',
      'senior (?:citizens?|community|communities|living|complex|building)',
      '(?:older|elderly) (?:persons?|people|adults?|couples?|tenants?|buyers?|residents?)',
      'mature (?:adults?|couples?|persons?|people|individuals?|tenants?|renters?|buyers?|residents?|professionals?)',
      'young (?:professionals?|couples?|adults?|singles)',
      'active adults?',
      '(?:solo|solamente) adultos',
      '(?:no|sin) (?:se (?:aceptan|admiten) )?ninos',
      '(?:ideal|perfect[oa]) para (?:familias?|parejas?|solteros|jovenes|jubilados|ninos)',
    ],
    // HUD's memorandum: no complaint where the text itself says that it is housing for older persons.
    unless:
      '(?:(?:55|62)(?:\\+| plus| (?:and|or) (?:older|over|better|up))|housing for older persons|hopa|age restricted|age qualified)',
  },
  {
    about: 'source of income',
    law: 'the law of many states',
    patterns: [
      'no (?:section 8|section eight|vouchers?|housing (?:vouchers?|assistance)|welfare|ssi|government assistance)',
      'section (?:8|eight) (?:not|unwelcome)',
      '(?:must be|only) employed',
    ],
  },
];
