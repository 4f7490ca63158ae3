import { expect, test } from 'vitest'
import { belgianBusiness, dutchBusiness } from '../../test/businesses.ts'
import { amountsOf, type BusinessDocument, enterpriseNumber, vatOf, writeUbl } from './ubl.ts'

const vat = { category: 'S', percent: 21 } as const
const line = {
  name: 'Keepsnap Pro Monthly',
  cents: 1499,
  from: '2026-10-31T23:30:00.000Z',
  to: '2026-11-30T23:30:00.000Z',
}
const invoice: BusinessDocument = {
  kind: 'invoice',
  number: 'A1B2-0001',
  // The first of November in Belgium.
  issuedAt: new Date(line.from),
  currency: 'usd',
  buyer: belgianBusiness,
  seller: { name: 'Fotolicht BV', address: 'Kaai 1, 2000 Antwerpen', vatNumber: 'BE0202239951', email: 'a@b.example' },
  lines: [line],
  vat,
  eurRate: 0.8642,
  isCharged: true,
  corrects: null,
}
const creditNote: BusinessDocument = {
  ...invoice,
  kind: 'credit_note',
  number: 'CN-2026-000001',
  corrects: { number: invoice.number, issuedAt: invoice.issuedAt },
}
const reverseCharge: BusinessDocument = { ...invoice, buyer: dutchBusiness, vat: { category: 'AE', percent: 0 } }
const inEuros: BusinessDocument = { ...invoice, currency: 'eur', eurRate: 1 }

/** The texts of all elements with a name, with their attribute if they have one. */
const valuesOf = (xml: string, name: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<cbc:${name}(?: \\w+="([^"]*)")?>([^<]*)<`, 'g')), ([, attribute, text]) =>
    [attribute, text].filter(Boolean).join(' '),
  )

test('whatever was charged: net, VAT of 21 % and a rounding of a cent at most add up to it, and the lines to the net amount', () => {
  const wrong: number[] = []
  for (let cents = -600; cents < 15_100; cents += 1) {
    const lines = [15_000, cents - 15_000].map((part) => ({ ...line, cents: part }))
    const { grossCents, netCents, vatCents, roundingCents, lineNetCents } = amountsOf(lines, vat, 1)
    const isRight =
      grossCents === cents &&
      netCents + vatCents + roundingCents === cents &&
      Math.abs(roundingCents) <= 1 &&
      vatCents === Math.round((netCents * 21) / 100) &&
      netCents === lineNetCents[0]! + lineNetCents[1]!
    if (!isRight) wrong.push(cents)
  }
  expect(wrong).toEqual([])
})

test.for([
  ['BE0123456749', '0123456749'],
  ['be 0202.239.951', '0202239951'],
  ['BE0123456748', undefined],
  ['BE012345674', undefined],
  ['NL123456782B90', undefined],
] as const)('the enterprise number in %s is %s', ([text, number]) => expect(enterpriseNumber(text)).toBe(number))

test.for([
  ['BE0123456749', { category: 'S', percent: 21 }],
  ['EL123456783', { category: 'AE', percent: 0 }],
  ['GB123456789', undefined],
  ['XI123456789', undefined],
] as const)('the VAT of a sale to %s is %o', ([number, expected]) => expect(vatOf(number)).toEqual(expected))

test('an invoice says buyer, seller, days in Belgium and amounts, with the VAT in euros beside dollars', () => {
  const xml = writeUbl(invoice)
  expect(xml).toContain('<cbc:RegistrationName>Fête &amp; Fils SRL</cbc:RegistrationName>')
  expect(valuesOf(xml, 'IssueDate')).toEqual(['2026-11-01'])
  expect([valuesOf(xml, 'StartDate'), valuesOf(xml, 'EndDate')]).toEqual([['2026-11-01'], ['2026-12-01']])
  expect(valuesOf(xml, 'StreetName')).toEqual(['Kaai 1', 'Rue Haute 1'])
  expect(valuesOf(xml, 'CityName')).toEqual(['Antwerpen', 'Bruxelles'])
  expect(valuesOf(xml, 'TaxAmount')).toEqual(['USD 2.60', 'USD 2.60', 'EUR 2.25'])
  expect(valuesOf(xml, 'TaxInclusiveAmount')).toEqual(['USD 14.99'])
  expect(valuesOf(xml, 'PayableAmount')).toEqual(['USD 0.00'])
  expect(valuesOf(writeUbl(inEuros), 'TaxAmount')).toEqual(['EUR 2.60', 'EUR 2.60'])
  expect(valuesOf(writeUbl({ ...invoice, lines: [{ ...line, cents: 1501 }] }), 'PayableRoundingAmount')).toEqual([
    'USD 0.01',
  ])
})

test('no text of a customer becomes markup, nor a character that XML does not have', () => {
  const name = '</cbc:Name><x a="1">&amp;\u0000\u000B\uD800\uFFFE 📷'
  const xml = writeUbl({ ...invoice, buyer: { ...belgianBusiness, name } })
  expect(xml).toContain('<cbc:Name>&lt;/cbc:Name&gt;&lt;x a=&quot;1&quot;&gt;&amp;amp;\uFFFD 📷</cbc:Name>')
})

/**
 * What Peppol BIS Billing 3.0 adds to EN 16931 and such documents could break: rule by rule, what ours have. The official rules of
 * Peppol are not run here; `npm run record -- invoices` runs those of EN 16931.
 */
const peppolRules: Record<string, (xml: string, document: BusinessDocument) => unknown> = {
  'R001: a business process': (xml) => xml.includes('<cbc:ProfileID>'),
  'R002: one note at most': (xml) => valuesOf(xml, 'Note').length <= 1,
  'R003: a buyer reference': (xml, { buyer }) => valuesOf(xml, 'BuyerReference')[0] === buyer.vatNumber,
  'R004: the specification of BIS Billing 3.0': (xml) =>
    valuesOf(xml, 'CustomizationID')[0] ===
    'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  'R005: the currency of the VAT is another one': (xml) =>
    !valuesOf(xml, 'TaxCurrencyCode').includes(valuesOf(xml, 'DocumentCurrencyCode')[0]!),
  'R007: the process of billing': (xml) =>
    /^urn:fdc:peppol\.eu:2017:poacc:billing:\d\d:1\.0$/.test(valuesOf(xml, 'ProfileID')[0] ?? ''),
  'R008: no element is empty': (xml) => !/<(\S+)[^>]*>\s*<\/\1>|\/>/.test(xml),
  'R010, R020: electronic addresses of buyer and seller': (xml, { buyer }) => {
    const [seller, ...rest] = valuesOf(xml, 'EndpointID')
    return (
      seller === '0208 0202239951' &&
      rest.join() === (buyer.country === 'BE' ? '0208 0123456749' : `9944 ${buyer.vatNumber}`)
    )
  },
  'R051: every amount but the VAT in euros has the currency of the document': (xml) => {
    const currency = valuesOf(xml, 'DocumentCurrencyCode')[0]!
    const others = Array.from(xml.matchAll(/<cbc:(\w+) currencyID="(\w+)"/g)).filter(([, , of]) => of !== currency)
    return others.every(([, name]) => name === 'TaxAmount') && others.length === valuesOf(xml, 'TaxCurrencyCode').length
  },
  'R053, R054: one total of VAT with a breakdown, one without it in another currency': (xml) =>
    xml.split('<cac:TaxTotal>').length - 1 === 1 + valuesOf(xml, 'TaxCurrencyCode').length &&
    xml.split('<cac:TaxSubtotal>').length - 1 === 1,
  'R055: both totals of VAT have the same sign': (xml) =>
    new Set(valuesOf(xml, 'TaxAmount').map((amount) => amount.includes('-'))).size === 1,
  'R120: the amount of a line is quantity times price': (xml) => {
    const [amounts, prices] = [valuesOf(xml, 'LineExtensionAmount').slice(1), valuesOf(xml, 'PriceAmount')]
    const quantities = [...valuesOf(xml, 'InvoicedQuantity'), ...valuesOf(xml, 'CreditedQuantity')]
    const numberIn = (text = ''): number => Number(text.split(' ')[1])
    return amounts.every((amount, at) => numberIn(amount) === numberIn(quantities[at]) * numberIn(prices[at]))
  },
  'P0100, P0101: the types of documents': (xml, { kind }) =>
    kind === 'invoice'
      ? valuesOf(xml, 'InvoiceTypeCode')[0] === '380'
      : valuesOf(xml, 'CreditNoteTypeCode')[0] === '381',
  'COMMON-R043: enterprise numbers have right check digits': (xml) =>
    Array.from(xml.matchAll(/schemeID="0208">(\d+)</g)).every(
      ([, number]) => enterpriseNumber(`BE${number}`) === number,
    ),
}

test.for([
  ['an invoice', invoice],
  [
    'one with unused time',
    {
      ...invoice,
      lines: [
        { ...line, cents: 14_999 },
        { ...line, cents: -733 },
      ],
    },
  ],
  ['a credit note', creditNote],
  ['an invoice with reverse charge', reverseCharge],
  ['an invoice in euros', inEuros],
] as const)('%s has what the rules of Peppol want', ([, document]) => {
  const xml = writeUbl(document)
  const broken = Object.entries(peppolRules).filter(([, holds]) => holds(xml, document) !== true)
  expect(broken.map(([rule]) => rule)).toEqual([])
})
