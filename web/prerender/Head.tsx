import { type Language, languageParameter, languages } from '@keepsnap/contract/languages.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { pages, productName } from '@keepsnap/contract/site.ts'
import { appManifestPath, pagePreviewPath, pagePreviewSize } from '@keepsnap/contract/rendering.ts'
import { supportQuestionGroups } from '../features/site/support-questions.ts'
import type { Catalogue } from '../messages/en.ts'

/** A page of the app, by its name in `contract/site.ts`. */
export type PageName = keyof typeof pages

/** What the document of a page says about it before the app has started. */
interface PageHead {
  /** The same sentence that the page gives to `usePageTitle`. */
  title(text: Catalogue): string
  /** Search engines may show the page with this description. Pages without one are not for them. */
  description?(text: Catalogue): string
  /** The module of a page that the server renders: it needs no JavaScript to be read. */
  module?: string
}

/** The heads of all pages. */
export const pageHeads: Record<PageName, PageHead> = {
  home: {
    title: ({ home }) => home.title,
    description: ({ pageDescriptions }) => pageDescriptions.home,
    module: 'features/site/HomePage.tsx',
  },
  pricing: {
    title: ({ claims }) => claims.title,
    description: ({ pageDescriptions }) => pageDescriptions.pricing,
    module: 'features/plans/PricingPage.tsx',
  },
  apiDocs: {
    title: ({ apiDocs }) => apiDocs.title,
    description: ({ pageDescriptions }) => pageDescriptions.apiDocs,
    module: 'features/integrations/ApiDocsPage.tsx',
  },
  about: {
    title: ({ about }) => about.title,
    description: ({ about }) => about.description,
    module: 'features/site/AboutPage.tsx',
  },
  support: {
    title: ({ support }) => support.title,
    description: ({ support }) => support.description,
    module: 'features/site/SupportPage.tsx',
  },
  privacy: {
    title: ({ frame }) => frame.links.privacy,
    description: ({ pageDescriptions }) => pageDescriptions.privacy,
    module: 'features/site/legal/LegalDocumentPage.tsx',
  },
  terms: {
    title: ({ frame }) => frame.links.terms,
    description: ({ pageDescriptions }) => pageDescriptions.terms,
    module: 'features/site/legal/LegalDocumentPage.tsx',
  },
  accessibility: {
    title: ({ accessibility }) => accessibility.title,
    description: ({ accessibility }) => accessibility.description,
    module: 'features/site/AccessibilityPage.tsx',
  },
  // Where plans are not sold, it does not exist: not for search engines.
  withdraw: { title: ({ withdrawal }) => withdrawal.title, module: 'features/plans/WithdrawPage.tsx' },
  demoScreen: { title: ({ demo }) => demo.title, description: ({ pageDescriptions }) => pageDescriptions.demoScreen },
  login: { title: ({ session }) => session.login.title, description: ({ pageDescriptions }) => pageDescriptions.login },
  register: {
    title: ({ session }) => session.register.title,
    description: ({ pageDescriptions }) => pageDescriptions.register,
  },
  forgotPassword: {
    title: ({ forgot }) => forgot.title,
    description: ({ pageDescriptions }) => pageDescriptions.forgotPassword,
  },
  resetPassword: { title: ({ reset }) => reset.reset.title },
  verifyEmail: { title: ({ verify }) => verify.title },
  latest: { title: ({ latest }) => latest.title },
  gallery: { title: ({ gallery }) => gallery.title },
  upload: { title: ({ upload }) => upload.title },
  print: { title: ({ printKit }) => printKit.title },
  photoRequests: { title: ({ requests }) => requests.title },
  insights: { title: ({ insights }) => insights.title },
  events: { title: ({ events }) => events.title },
  profile: { title: ({ account }) => account.profileTitle },
  settings: { title: ({ account }) => account.title },
  // The title of the 404 page: only operators may know that this page exists.
  admin: { title: ({ notFound }) => notFound.title },
  subscriptionSuccess: { title: ({ checkout }) => checkout.verifying.title },
  subscriptionCancel: { title: ({ checkout }) => checkout.cancelled.title },
}

/** Any other path. */
export const notFoundHead: PageHead = {
  title: ({ notFound }) => notFound.title,
  module: 'features/site/NotFoundPage.tsx',
}

const nameByPath = new Map(Object.entries(pages).map(([name, path]) => [path as string, name as PageName])) // its own keys

/** The name of the page with a path. */
export const pageNameOf = (path: string): PageName | undefined => nameByPath.get(path)

interface Props {
  /** Undefined for a path without a page. */
  name: PageName | undefined
  head: PageHead
  path: string
  language: Language
  isLanguageInUrl: boolean
  publicUrl: string
  text: Catalogue
}

/** Open Graph locales require a country. */
const locales: Record<Language, string> = { en: 'en_GB', nl: 'nl_BE', fr: 'fr_BE', de: 'de_DE' }

/** A page in one language; without a language in the one that the visitor's browser prefers. */
function pageUrl(publicUrl: string, path: string, language?: Language): string {
  const url = new URL(path, publicUrl)
  if (language) url.searchParams.set(languageParameter, language)
  return url.href
}

/** What the document says about its page, in `<head>`. */
export function Head({ name, head, path, language, isLanguageInUrl, publicUrl, text }: Props) {
  const title = head.title(text)
  return (
    <>
      <title>{text.frame.documentTitle(title)}</title>
      <link rel="manifest" href={appManifestPath(language)} />
      {name && head.description ? (
        <PublicTags
          {...{ name, path, language, publicUrl, text, title }}
          url={pageUrl(publicUrl, path, isLanguageInUrl ? language : undefined)}
          description={head.description(text)}
        />
      ) : (
        <meta name="robots" content="noindex" />
      )}
    </>
  )
}

interface PublicTagsProps extends Pick<Props, 'path' | 'language' | 'publicUrl' | 'text'> {
  name: PageName
  title: string
  description: string
  /** The canonical URL. */
  url: string
}

function PublicTags({ name, title, description, url, path, language, publicUrl, text }: PublicTagsProps) {
  const preview = new URL(pagePreviewPath(name, language), publicUrl).href
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      {languages.map((one) => (
        <link key={one} rel="alternate" hrefLang={one} href={pageUrl(publicUrl, path, one)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={pageUrl(publicUrl, path)} />
      <meta property="og:site_name" content={productName} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={locales[language]} />
      {languages
        .filter((one) => one !== language)
        .map((one) => (
          <meta key={one} property="og:locale:alternate" content={locales[one]} />
        ))}
      <meta property="og:image" content={preview} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content={String(pagePreviewSize.width)} />
      <meta property="og:image:height" content={String(pagePreviewSize.height)} />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={preview} />
      {structuredData({ name, language, publicUrl, text }).map((data) => (
        <script
          key={String(data['@type'])}
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
        />
      ))}
    </>
  )
}

interface Options {
  name: PageName
  language: Language
  publicUrl: string
  text: Catalogue
}
/** One item of schema.org as JSON-LD. */
type StructuredData = Record<string, unknown>

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
function structuredData(options: Options): StructuredData[] {
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
