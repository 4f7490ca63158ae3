import { expect, test } from 'vitest'
import { businessProblemMessage, businessProblems, normalizeBusiness } from './businesses.ts'
import { countryOfVatNumber, exampleVatNumbers, normalizeVatNumber, vatExample, vatProblem } from './vat-numbers.ts'

test.each([
  ['BE 0123.456.749', 'BE0123456749'],
  ['be123456749', 'BE0123456749'],
  ['NL0044.95.445.B01', 'NL004495445B01'],
  ['GR094259216', 'EL094259216'],
  ['ＢＥ０１２３４５６７４９', 'BE0123456749'],
])('%s is stored as %s', (text, number) => {
  expect(normalizeVatNumber(text)).toBe(number)
  expect(vatProblem(text)).toBeNull()
})

test('the example of each of the 27 countries is right, and leads to its country', () => {
  expect(exampleVatNumbers).toHaveLength(27)
  for (const number of exampleVatNumbers)
    expect([number, vatProblem(number), vatExample(number.slice(0, 2))]).toEqual([number, null, number])
  expect([countryOfVatNumber('EL094259216'), countryOfVatNumber('BE0123456749')]).toEqual(['GR', 'BE'])
})

// In the second, one digit is another, or two are swapped.
test.each([
  ['ATU13585627', 'ATU13585626'],
  ['BE0202239951', 'BE0202239915'],
  ['BE1000000021', 'BE1000000022'],
  ['DE136695976', 'DE136695967'],
  ['DK13585628', 'DK13585682'],
  ['EE100931558', 'EE100931559'],
  ['EL094259216', 'EL094259261'],
  ['FI20774740', 'FI20774704'],
  ['FR40303265045', 'FR41303265045'],
  ['HR33392005961', 'HR33392005916'],
  ['HU12892312', 'HU12892313'],
  ['IT00743110157', 'IT00743110175'],
  ['LU15027442', 'LU15027424'],
  ['MT11679112', 'MT11679121'],
  ['NL004495445B01', 'NL004495454B01'],
  ['PL8567346215', 'PL8567346251'],
  ['PT501964843', 'PT501964834'],
  ['SE123456789701', 'SE123456798701'],
  ['SI50223054', 'SI50223045'],
  ['SK2022749619', 'SK2022749691'],
])('check digits: %s is right, %s is not', (right, wrong) => {
  expect([vatProblem(right), vatProblem(wrong)]).toEqual([null, 'digits'])
})

test.each([
  ['', 'missing'],
  [' . ', 'missing'],
  ['0123456749', 'country'],
  ['GB980780684', 'country'],
  ['XI980780684', 'country'],
  ['toString', 'country'],
  ['BE', 'form'],
  ['BE012345674', 'form'],
  ['BE01234567499', 'form'],
  ['NL004495445', 'form'],
  ['IT00000000000', 'digits'],
])('%j is refused: %s', (text, problem) => {
  expect(vatProblem(text)).toBe(problem)
})

test('each field of a business has its rule and its sentence', () => {
  const fields = normalizeBusiness({
    name: ' Fête  & Fils\u202e ',
    vat_number: 'be 0123.456.748',
    street: 'x'.repeat(151),
    postal_code: '',
    city: 'Gent',
  })
  const problems = businessProblems(fields)
  expect(problems).toEqual({ name: 'characters', vat_number: 'digits', street: 'long', postal_code: 'missing' })
  expect(businessProblemMessage('vat_number', 'form', 'NL1')).toBe(
    'VAT numbers of this country look like NL004495445B01',
  )
  expect(businessProblemMessage('street', 'long', '')).toBe('Please use at most 150 characters')
})
