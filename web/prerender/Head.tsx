import { languageParameter, languages, type Language } from '@keepsnap/contract/languages.ts'
import { productName } from '@keepsnap/contract/product.ts'
import { appManifestPath, pagePreviewPath, pagePreviewSize } from '@keepsnap/contract/web-pages.ts'
import type { Catalogue } from '../messages/en.ts'
import type { PageHead, PageName } from './page-heads.ts'
import { structuredData } from './structured-data.ts'

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
export function pageUrl(publicUrl: string, path: string, language?: Language): string {
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
