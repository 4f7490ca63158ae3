import type { Business } from '../../ports/payments/payments.ts'

// Invoices and credit notes as UBL 2.1 by EN 16931 and Peppol BIS Billing 3.0. Prices include VAT; EN 16931 counts from amounts
// without it, so what a total cannot be split into exactly stands as its rounding amount.

/** Who sells. */
export interface Seller {
  name: string
  /** On one line, as the setting has it. */
  address: string
  /** A Belgian VAT number, such as `BE0123456749`. */
  vatNumber: string
  email: string
}

/** A line, in cents with VAT; below zero for what is set off against the others. */
export interface DocumentLine {
  name: string
  cents: number
  /** ISO 8601 in UTC. */
  from: string
  to: string
}

/** Everything that a document says. Its total is above zero or zero, also that of a credit note. */
export interface BusinessDocument {
  kind: 'invoice' | 'credit_note'
  number: string
  issuedAt: Date
  /** ISO 4217, in lower case. */
  currency: string
  buyer: Business
  seller: Seller
  lines: readonly DocumentLine[]
  vat: Vat
  /** Euros for one unit of the currency. */
  eurRate: number
  /** Whether money was paid by card or given back to it; otherwise credit has settled it. */
  isCharged: boolean
  /** The invoice that a credit note corrects. */
  corrects: { number: string; issuedAt: Date } | null
}

/** The VAT of a sale. `AE`: the customer owes it, in another country of the EU. */
export interface Vat {
  category: 'S' | 'AE'
  percent: number
}

/** The scheme of electronic addresses in each country of the EU, by the prefix of its VAT numbers. */
const endpointSchemes: Record<string, string> = {
  AT: '9914',
  BE: '0208',
  BG: '9926',
  CY: '9928',
  CZ: '9929',
  DE: '9930',
  DK: '0198',
  EE: '9931',
  EL: '9933',
  ES: '9920',
  FI: '0213',
  FR: '9957',
  HR: '9934',
  HU: '9910',
  IE: '9935',
  IT: '0211',
  LT: '9937',
  LU: '9938',
  LV: '9939',
  MT: '9943',
  NL: '9944',
  PL: '9945',
  PT: '9946',
  RO: '9947',
  SE: '0007',
  SI: '9949',
  SK: '9950',
}

/** A VAT number in capitals, without what people write between its characters; old Irish ones have a plus or an asterisk. */
export const plainVatNumber = (text: string): string => text.toUpperCase().replaceAll(/[^\dA-Z+*]/g, '')

/** The Belgian enterprise number in a VAT number, if its check digits are right; undefined otherwise. */
export function enterpriseNumber(vatNumber: string): string | undefined {
  const [, digits] = /^BE([01]\d{9})$/.exec(plainVatNumber(vatNumber)) ?? []
  return digits !== undefined && 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8)) ? digits : undefined
}

/** The VAT of a Belgian seller's sale to a business; undefined outside the EU, where Belgian VAT has no such invoice. */
export function vatOf(vatNumber: string): Vat | undefined {
  const prefix = plainVatNumber(vatNumber).slice(0, 2)
  if (!Object.hasOwn(endpointSchemes, prefix)) return undefined
  return prefix === 'BE' ? { category: 'S', percent: 21 } : { category: 'AE', percent: 0 }
}

/** Where a business receives invoices. */
function endpointOf(vatNumber: string): { scheme: string; id: string } {
  const plain = plainVatNumber(vatNumber)
  const prefix = plain.slice(0, 2)
  const scheme = endpointSchemes[prefix] ?? ''
  if (prefix === 'BE') return { scheme, id: plain.slice(2) }
  // Of a Swedish VAT number, the organization number without the last two digits.
  return { scheme, id: prefix === 'SE' ? plain.slice(2, 12) : plain }
}

/** What a document amounts to, in cents. */
export interface Amounts {
  grossCents: number
  netCents: number
  vatCents: number
  /** What gross is above net and VAT, because no whole cents add up to it: -1, 0 or 1. */
  roundingCents: number
  /** In cents of the euro. */
  vatEurCents: number
  /** Of each line, without VAT; their sum is `netCents`. */
  lineNetCents: number[]
}

/** Takes the VAT out of the lines: net and VAT add up to what was charged, but for a rounding of one cent. */
export function amountsOf(lines: readonly DocumentLine[], { percent }: Vat, eurRate: number): Amounts {
  const netOf = (cents: number): number => Math.round((cents * 100) / (100 + percent))
  const grossCents = lines.reduce((sum, { cents }) => sum + cents, 0)
  const netCents = netOf(grossCents)
  const vatCents = Math.round((netCents * percent) / 100)
  const lineNetCents = lines.map(({ cents }) => netOf(cents))
  const largest = lines.reduce(
    (found, { cents }, at) => (Math.abs(cents) > Math.abs(lines[found]!.cents) ? at : found),
    0,
  )
  lineNetCents[largest]! += netCents - lineNetCents.reduce((sum, cents) => sum + cents, 0)
  const vatEurCents = Math.round(vatCents * eurRate)
  return { grossCents, netCents, vatCents, roundingCents: grossCents - netCents - vatCents, vatEurCents, lineNetCents }
}

/** An element: its name, its text or what it contains, and its attributes. */
type Node = readonly [
  name: string,
  content: string | readonly (Node | undefined)[],
  attributes?: Record<string, string>,
]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** XML has no character for most control codes, not even an escaped one. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character]!)

function write([name, content, attributes = {}]: Node, indent = ''): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `${indent}<${name}${given.join('')}>`
  if (typeof content === 'string') return `${start}${escapeXml(content)}</${name}>\n`
  const inside = content.map((node) => (node ? write(node, `${indent}  `) : ''))
  return `${start}\n${inside.join('')}${indent}</${name}>\n`
}

const dates = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Brussels' })
/** The day in Belgium, `yyyy-mm-dd`. */
const dayOf = (time: Date): string => dates.format(time)

const decimal = (cents: number): string => (cents / 100).toFixed(2)

/** Parts of an address on one line, if it is written as in Belgium: "Street 1, 1000 City, Country". */
function addressOf(line: string): { street: string; postalCode: string; city: string } {
  const parts = line.split(',').map((part) => part.trim())
  const at = parts.findIndex((part) => /^(?:B-)?\d{4} \S/.test(part))
  if (at < 1) return { street: line, postalCode: '', city: '' }
  const [, postalCode = '', city = ''] = /^(?:B-)?(\d{4}) (.+)$/.exec(parts[at]!) ?? []
  return { street: parts.slice(0, at).join(', '), postalCode, city: city.trim() }
}

const filled = (name: string, text: string): Node | undefined => (text.trim() === '' ? undefined : [name, text.trim()])
const vatScheme: Node = ['cac:TaxScheme', [['cbc:ID', 'VAT']]]

function partyOf(
  { name, vatNumber, email }: { name: string; vatNumber: string; email?: string },
  address: { street: string; postalCode: string; city: string; country: string },
): Node {
  const { scheme, id } = endpointOf(vatNumber)
  const enterprise = enterpriseNumber(vatNumber)
  return [
    'cac:Party',
    [
      ['cbc:EndpointID', id, { schemeID: scheme }],
      ['cac:PartyName', [['cbc:Name', name]]],
      [
        'cac:PostalAddress',
        [
          filled('cbc:StreetName', address.street),
          filled('cbc:CityName', address.city),
          filled('cbc:PostalZone', address.postalCode),
          ['cac:Country', [['cbc:IdentificationCode', address.country]]],
        ],
      ],
      ['cac:PartyTaxScheme', [['cbc:CompanyID', plainVatNumber(vatNumber)], vatScheme]],
      [
        'cac:PartyLegalEntity',
        [
          ['cbc:RegistrationName', name],
          enterprise === undefined ? undefined : ['cbc:CompanyID', enterprise, { schemeID: '0208' }],
        ],
      ],
      email === undefined ? undefined : ['cac:Contact', [['cbc:ElectronicMail', email]]],
    ],
  ]
}

const ublNamespace = (name: string): string => `urn:oasis:names:specification:ubl:schema:xsd:${name}`
const customization = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
/** Codes of UNCL 1001 and 4461. */
const [invoiceType, creditNoteType, bankCard, setOff] = ['380', '381', '48', '97']

/** Writes a document as UBL. */
export function writeUbl(document: BusinessDocument): string {
  const { kind, number, issuedAt, buyer, seller, lines, vat, eurRate, isCharged, corrects } = document
  const currency = document.currency.toUpperCase()
  const amounts = amountsOf(lines, vat, eurRate)
  const isInvoice = kind === 'invoice'
  const root = isInvoice ? 'Invoice' : 'CreditNote'
  const money = (name: string, cents: number, of = currency): Node => [name, decimal(cents), { currencyID: of }]
  const category = (name: string, reason: readonly Node[] = []): Node => [
    name,
    [['cbc:ID', vat.category], ['cbc:Percent', String(vat.percent)], ...reason, vatScheme],
  ]
  const exemption: Node[] =
    vat.category === 'AE'
      ? [
          ['cbc:TaxExemptionReasonCode', 'VATEX-EU-AE'],
          ['cbc:TaxExemptionReason', 'Reverse charge'],
        ]
      : []
  const subtotal: Node = [
    'cac:TaxSubtotal',
    [
      money('cbc:TaxableAmount', amounts.netCents),
      money('cbc:TaxAmount', amounts.vatCents),
      category('cac:TaxCategory', exemption),
    ],
  ]
  const nodes: (Node | undefined)[] = [
    ['cbc:CustomizationID', customization],
    ['cbc:ProfileID', profile],
    ['cbc:ID', number],
    ['cbc:IssueDate', dayOf(issuedAt)],
    isInvoice ? ['cbc:InvoiceTypeCode', invoiceType] : ['cbc:CreditNoteTypeCode', creditNoteType],
    ['cbc:DocumentCurrencyCode', currency],
    currency === 'EUR' ? undefined : ['cbc:TaxCurrencyCode', 'EUR'],
    // Nobody is asked for a reference: the buyer's own number is one that its accounting knows.
    ['cbc:BuyerReference', plainVatNumber(buyer.vatNumber)],
    corrects
      ? [
          'cac:BillingReference',
          [
            [
              'cac:InvoiceDocumentReference',
              [
                ['cbc:ID', corrects.number],
                ['cbc:IssueDate', dayOf(corrects.issuedAt)],
              ],
            ],
          ],
        ]
      : undefined,
    ['cac:AccountingSupplierParty', [partyOf(seller, { ...addressOf(seller.address), country: 'BE' })]],
    ['cac:AccountingCustomerParty', [partyOf({ name: buyer.name, vatNumber: buyer.vatNumber }, buyer)]],
    ['cac:PaymentMeans', [['cbc:PaymentMeansCode', isCharged ? bankCard : setOff]]],
    ['cac:TaxTotal', [money('cbc:TaxAmount', amounts.vatCents), subtotal]],
    currency === 'EUR' ? undefined : ['cac:TaxTotal', [money('cbc:TaxAmount', amounts.vatEurCents, 'EUR')]],
    [
      'cac:LegalMonetaryTotal',
      [
        money('cbc:LineExtensionAmount', amounts.netCents),
        money('cbc:TaxExclusiveAmount', amounts.netCents),
        money('cbc:TaxInclusiveAmount', amounts.netCents + amounts.vatCents),
        // Nothing is left to pay: it was charged, or given back, before the document is handed over.
        money('cbc:PrepaidAmount', amounts.grossCents),
        amounts.roundingCents === 0 ? undefined : money('cbc:PayableRoundingAmount', amounts.roundingCents),
        money('cbc:PayableAmount', 0),
      ],
    ],
    ...lines.map((line, at): Node => {
      const cents = amounts.lineNetCents[at]!
      const quantity = cents < 0 ? '-1' : '1'
      return [
        `cac:${root}Line`,
        [
          ['cbc:ID', String(at + 1)],
          [isInvoice ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', quantity, { unitCode: 'C62' }],
          money('cbc:LineExtensionAmount', cents),
          [
            'cac:InvoicePeriod',
            [
              ['cbc:StartDate', dayOf(new Date(line.from))],
              ['cbc:EndDate', dayOf(new Date(line.to))],
            ],
          ],
          ['cac:Item', [['cbc:Name', line.name], category('cac:ClassifiedTaxCategory')]],
          ['cac:Price', [money('cbc:PriceAmount', Math.abs(cents))]],
        ],
      ]
    }),
  ]
  const namespaces = {
    xmlns: ublNamespace(`${root}-2`),
    'xmlns:cac': ublNamespace('CommonAggregateComponents-2'),
    'xmlns:cbc': ublNamespace('CommonBasicComponents-2'),
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write([root, nodes, namespaces])}`
}
