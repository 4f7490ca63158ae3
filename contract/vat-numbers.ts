// VAT numbers of the European Union: their form and their check digits. A number that passes may still belong to nobody.

/** How VAT numbers of a country look, without its prefix, and whether their check digits are right. */
interface VatRule {
  form: RegExp
  /** A number with right check digits, which is shown where one has another form. */
  example: string
  /** Left out where the digits have several rules, which depend on the kind of business and its age. */
  hasRightDigits?: (number: string) => boolean
}

const digitsOf = (number: string): number[] => Array.from(number.replace(/\D/g, ''), Number)
const weighted = (number: string, weights: readonly number[]): number => {
  const digits = digitsOf(number)
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0)
}
const lastDigit = (number: string): number => digitsOf(number).at(-1) ?? -1

/** ISO/IEC 7064, MOD 11,10. */
function isMod11And10(number: string): boolean {
  const digits = digitsOf(number)
  const check = digits.slice(0, -1).reduce((product, digit) => {
    const sum = (digit + product) % 10 || 10
    return (2 * sum) % 11
  }, 10)
  return (11 - check) % 10 === digits.at(-1)
}

/** The algorithm of Luhn. */
function isLuhn(number: string): boolean {
  const digits = digitsOf(number)
  const doubled = (digit: number): number => (digit > 4 ? 2 * digit - 9 : 2 * digit)
  const sum = digits.reduce(
    (total, digit, index) => total + ((digits.length - index) % 2 === 1 ? digit : doubled(digit)),
    0,
  )
  return sum % 10 === 0
}

/** ISO/IEC 7064, MOD 97-10, with letters as two digits, A as 10. */
const mod97 = (text: string): number =>
  Array.from(text).reduce((rest, character) => {
    const value = Number.parseInt(character, 36)
    return (rest * (value > 9 ? 100 : 10) + value) % 97
  }, 0)

/** The countries of the European Union by the prefix of their VAT numbers. Greek ones begin with EL. */
const vatRules: Record<string, VatRule> = {
  AT: {
    form: /^U\d{8}$/,
    example: 'ATU13585627',
    hasRightDigits(number) {
      const sum = digitsOf(number)
        .slice(0, 7)
        .reduce(
          (total, digit, index) => total + (index % 2 === 0 ? digit : Math.floor(digit / 5) + ((2 * digit) % 10)),
          0,
        )
      return (96 - sum) % 10 === lastDigit(number)
    },
  },
  BE: {
    form: /^[01]\d{9}$/,
    example: 'BE0123456749',
    hasRightDigits: (number) => 97 - (+number.slice(0, 8) % 97) === +number.slice(8),
  },
  BG: { form: /^\d{9,10}$/, example: 'BG175074752' },
  CY: { form: /^\d{8}[A-Z]$/, example: 'CY10259033P' },
  CZ: { form: /^\d{8,10}$/, example: 'CZ25123891' },
  DE: { form: /^\d{9}$/, example: 'DE136695976', hasRightDigits: isMod11And10 },
  DK: {
    form: /^\d{8}$/,
    example: 'DK13585628',
    hasRightDigits: (number) => weighted(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  EE: {
    form: /^10\d{7}$/,
    example: 'EE100931558',
    hasRightDigits: (number) => weighted(number, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  },
  EL: {
    form: /^\d{9}$/,
    example: 'EL094259216',
    hasRightDigits: (number) => (weighted(number, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === lastDigit(number),
  },
  ES: { form: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, example: 'ESB58378431' },
  FI: {
    form: /^\d{8}$/,
    example: 'FI20774740',
    hasRightDigits: (number) => weighted(number, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0,
  },
  FR: {
    form: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
    example: 'FR40303265045',
    // Keys with a letter have other rules, and are rare.
    hasRightDigits: (number) =>
      !/^\d{11}$/.test(number) || (12 + 3 * (+number.slice(2) % 97)) % 97 === +number.slice(0, 2),
  },
  HR: { form: /^\d{11}$/, example: 'HR33392005961', hasRightDigits: isMod11And10 },
  HU: {
    form: /^\d{8}$/,
    example: 'HU12892312',
    hasRightDigits: (number) => weighted(number, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0,
  },
  IE: { form: /^(?:\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/, example: 'IE6433435F' },
  IT: { form: /^\d{11}$/, example: 'IT00743110157', hasRightDigits: isLuhn },
  LT: { form: /^(?:\d{9}|\d{12})$/, example: 'LT119511515' },
  LU: {
    form: /^\d{8}$/,
    example: 'LU15027442',
    hasRightDigits: (number) => +number.slice(0, 6) % 89 === +number.slice(6),
  },
  LV: { form: /^\d{11}$/, example: 'LV40003521600' },
  MT: {
    form: /^\d{8}$/,
    example: 'MT11679112',
    hasRightDigits: (number) => weighted(number, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0,
  },
  NL: {
    form: /^\d{9}B\d{2}$/,
    example: 'NL004495445B01',
    // By the number of the company, and since 2020 over all of it for sole traders.
    hasRightDigits: (number) =>
      weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === +number.slice(8, 9) || mod97(`NL${number}`) === 1,
  },
  PL: {
    form: /^\d{10}$/,
    example: 'PL8567346215',
    hasRightDigits: (number) => weighted(number, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === lastDigit(number),
  },
  PT: {
    form: /^\d{9}$/,
    example: 'PT501964843',
    hasRightDigits: (number) =>
      ((11 - (weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === lastDigit(number),
  },
  RO: { form: /^[1-9]\d{1,9}$/, example: 'RO18547290' },
  SE: {
    form: /^\d{10}(?!00)\d{2}$/,
    example: 'SE123456789701',
    hasRightDigits: (number) => isLuhn(number.slice(0, 10)),
  },
  SI: {
    form: /^\d{8}$/,
    example: 'SI50223054',
    hasRightDigits: (number) => (11 - (weighted(number, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === lastDigit(number),
  },
  SK: { form: /^[1-9]\d{9}$/, example: 'SK2022749619', hasRightDigits: (number) => +number % 11 === 0 },
}

/** A VAT number of the European Union with right check digits, for each of its countries. */
export const exampleVatNumbers: readonly string[] = Object.values(vatRules).map(({ example }) => example)

/** Why a text is not a VAT number of a business in the European Union. */
export type VatProblem = 'missing' | 'country' | 'form' | 'digits'

/** The form in which VAT numbers are stored: without spaces and punctuation. */
export function normalizeVatNumber(text: string): string {
  const number = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s./-]/g, '')
    .replace(/^GR/, 'EL')
  // Belgian numbers had nine digits before 2008.
  return number.replace(/^BE(?=[1-9]\d{8}$)/, 'BE0')
}

/** Why a text is not a VAT number, as far as its form and its check digits say; null if it can be one. */
export function vatProblem(text: string): VatProblem | null {
  const number = normalizeVatNumber(text)
  if (number === '') return 'missing'
  const rule = ruleOf(number)
  if (!rule) return 'country'
  if (!rule.form.test(number.slice(2))) return 'form'
  // The check digits of some countries fit zeros alone.
  const isZero = !/[1-9]/.test(number)
  return isZero || rule.hasRightDigits?.(number.slice(2)) === false ? 'digits' : null
}

const ruleOf = (number: string): VatRule | undefined =>
  Object.hasOwn(vatRules, number.slice(0, 2)) ? vatRules[number.slice(0, 2)] : undefined

/** How VAT numbers of the same country look; those of Belgium when the country is not one of the European Union. */
export const vatExample = (text: string): string => (ruleOf(normalizeVatNumber(text)) ?? vatRules['BE'])?.example ?? ''

/** The country of a VAT number, ISO 3166-1. */
export const countryOfVatNumber = (number: string): string => number.slice(0, 2).replace('EL', 'GR')
