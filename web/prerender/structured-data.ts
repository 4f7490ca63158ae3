import type { Language } from '@keepsnap/contract/languages.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/product.ts'
import { supportQuestionGroups } from '../features/support/questions.ts'
import type { Catalogue } from '../messages/en.ts'
import type { PageName } from './page-heads.ts'

interface Options {
  name: PageName
  language: Language
  publicUrl: string
  text: Catalogue
}
/** One item of schema.org as JSON-LD. */
export type StructuredData = Record<string, unknown>

const context = 'https://schema.org'
/** UN/CEFACT unit codes, which schema.org uses for intervals. */
const unitCodes = { month: 'MON', year: 'ANN' } as const

function website({ language, publicUrl, text }: Options): StructuredData {
  const organizationId = new URL('/#organization', publicUrl).href
  return {
    '@context': context,
    '@type': 'WebSite',
    name: productName,
    url: new URL('/', publicUrl).href,
    description: text.pageDescriptions.home,
    inLanguage: language,
    publisher: {
      '@type': 'Organization',
      '@id': organizationId,
      name: productName,
      url: new URL('/', publicUrl).href,
      logo: new URL('/icon-512.png', publicUrl).href,
    },
  }
}

const dollars = (cents: number): string => (cents / 100).toFixed(2)

function application({ language, publicUrl, text }: Options): StructuredData {
  return {
    '@context': context,
    '@type': 'SoftwareApplication',
    name: productName,
    url: new URL('/', publicUrl).href,
    description: text.pageDescriptions.home,
    applicationCategory: 'MultimediaApplication',
    operatingSystem: 'Web',
    inLanguage: language,
    offers: planIds.map((id) => {
      const { price_cents: cents, interval_type: interval } = plans[id]
      const price = { price: dollars(cents), priceCurrency: 'USD' }
      return {
        '@type': 'Offer',
        name: text.pricing.names[id],
        url: new URL('/pricing', publicUrl).href,
        ...price,
        ...(cents > 0 && {
          priceSpecification: {
            '@type': 'UnitPriceSpecification',
            ...price,
            referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: unitCodes[interval] },
          },
        }),
      }
    }),
  }
}

function questions({ language }: Options, list: readonly { question: string; answer: string }[]): StructuredData {
  return {
    '@context': context,
    '@type': 'FAQPage',
    inLanguage: language,
    mainEntity: list.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}

/** What search engines may show besides title and description: only what the page itself says. */
export function structuredData(options: Options): StructuredData[] {
  if (options.name === 'home') return [website(options), application(options)]
  if (options.name === 'support') {
    const { supportQuestions, claims } = options.text
    return [
      questions(
        options,
        supportQuestionGroups(supportQuestions, claims).flatMap((group) => group.questions),
      ),
    ]
  }
  if (options.name === 'pricing') return [application(options), questions(options, options.text.claims.questions)]
  return []
}
