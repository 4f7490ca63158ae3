import { languages, type Language } from '@keepsnap/contract/languages.ts'
import { type LegalDocument, legalVersions } from '@keepsnap/contract/site.ts'
import { readLegalText, type LegalText } from './legal-text.ts'
import { currentValues, type LegalValues } from './values.ts'

/** The languages of the texts that bind: an account accepts a version of these. The others are translations, and say so. */
export const bindingLanguages = ['nl', 'en'] as const

/** One version of a document. */
export interface LegalVersion {
  /** The day from which it applies; `?version=` in URLs. */
  from: string
  /** When it was published: at least `legalNoticeDays` before, except the first one. */
  published: string
  /** What is different from the version before, in a sentence; null for the first. */
  changes: Record<Language, string> | null
  /** Its numbers. A version that no longer applies has them as data, in a file beside its texts. */
  values: LegalValues
  /** Loads the text: a chunk of its own. */
  load: Record<Language, () => Promise<{ text: LegalText }>>
}

const files = import.meta.glob<string>('./*/*.md', { query: '?raw', import: 'default' })
/** The text of a version in each language, in files of Markdown; `readLegalText` says what it can contain. */
const textsOf = (document: LegalDocument, from: string): LegalVersion['load'] =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      async () => ({ text: readLegalText(await files[`./${from}/${document}.${language}.md`]!(), language) }),
    ]),
  ) as LegalVersion['load'] // has all languages

/** The versions of each document, newest first. How the next is made: docs/decisions/0039-versions-of-legal-texts.md. */
export const legalDocuments: Record<LegalDocument, readonly LegalVersion[]> = {
  privacy: [
    {
      from: '2027-01-01',
      published: '2026-11-29',
      changes: {
        en: 'The phone keeps which photos of an event it scanned, and that it helps with one.',
        nl: 'De telefoon onthoudt de gescande foto’s van een evenement, en dat hij bij een evenement helpt.',
        fr: 'Le téléphone retient les photos scannées d’un événement, et qu’il y aide.',
        de: 'Das Handy merkt sich gescannte Fotos einer Veranstaltung, und dass es bei einer hilft.',
      },
      values: currentValues,
      load: textsOf('privacy', '2027-01-01'),
    },
    {
      from: '2026-12-31',
      published: '2026-11-29',
      changes: {
        en: 'Events: their names, days and codes, photos that guests add with their consent, helpers, and links to all photos of an event have rows of their own. The time at which a photo was taken is kept as a number.',
        nl: 'Evenementen: hun namen, dagen en codes, foto’s die gasten met hun toestemming toevoegen, helpers, en links naar alle foto’s van een evenement hebben eigen rijen. Het tijdstip waarop een foto genomen werd, wordt als getal bewaard.',
        fr: 'Événements : leurs noms, jours et codes, les photos que des invités ajoutent avec leur consentement, les assistants et les liens vers toutes les photos d’un événement ont leurs propres lignes. L’heure de la prise de vue est conservée comme un nombre.',
        de: 'Veranstaltungen: ihre Namen, Tage und Codes, Fotos, die Gäste mit ihrer Einwilligung hinzufügen, Helfer und Links zu allen Fotos einer Veranstaltung haben eigene Zeilen. Der Zeitpunkt der Aufnahme wird als Zahl gespeichert.',
      },
      values: currentValues,
      load: textsOf('privacy', '2026-12-31'),
    },
    {
      from: '2026-12-30',
      published: '2026-11-29',
      changes: {
        en: 'Withdrawals from contracts, the details of businesses and their invoices have rows of their own: what is kept and for how long. Invoices of businesses can go through a provider of electronic invoices.',
        nl: 'Herroepingen van overeenkomsten, de gegevens van ondernemingen en hun facturen hebben eigen rijen: wat bewaard wordt en hoelang. Facturen van ondernemingen kunnen via een dienst voor elektronische facturen gaan.',
        fr: 'Les rétractations de contrats, les données des entreprises et leurs factures ont leurs propres lignes : ce qui est conservé et combien de temps. Les factures d’entreprises peuvent passer par un prestataire de facturation électronique.',
        de: 'Widerrufe von Verträgen, die Angaben von Unternehmen und ihre Rechnungen haben eigene Zeilen: was gespeichert wird und wie lange. Rechnungen von Unternehmen können über einen Anbieter für elektronische Rechnungen gehen.',
      },
      values: currentValues,
      load: textsOf('privacy', '2026-12-30'),
    },
    {
      from: '2026-12-29',
      published: '2026-11-29',
      changes: {
        en: 'A cookie recognizes the browsers with which you have signed in, so that others who try passwords cannot hold you up; limits against floods also count wider networks of IPv6. The browser keeps the names of photos until they are uploaded.',
        nl: 'Een cookie herkent de browsers waarmee je je aangemeld hebt, zodat anderen die wachtwoorden proberen je niet ophouden; limieten tegen misbruik tellen ook ruimere netwerken van IPv6. De browser bewaart de namen van foto’s tot ze geüpload zijn.',
        fr: 'Un cookie reconnaît les navigateurs avec lesquels vous vous êtes connecté, pour que d’autres personnes qui essaient des mots de passe ne vous bloquent pas ; les limites contre les abus comptent aussi des réseaux IPv6 plus larges. Le navigateur garde les noms des photos jusqu’à leur envoi.',
        de: 'Ein Cookie erkennt die Browser, mit denen du dich angemeldet hast, damit andere, die Passwörter ausprobieren, dich nicht aufhalten; Limits gegen Missbrauch zählen auch weitere Netze von IPv6. Der Browser merkt sich die Namen von Fotos, bis sie hochgeladen sind.',
      },
      values: currentValues,
      load: textsOf('privacy', '2026-12-29'),
    },
    {
      from: legalVersions.privacy,
      published: '2026-11-23',
      changes: null,
      values: currentValues,
      load: textsOf('privacy', '2026-11-23'),
    },
  ],
  terms: [
    {
      from: '2026-12-30',
      published: '2026-11-29',
      changes: {
        en: 'Consumers can withdraw from each contract with “Withdraw from contract here” at the bottom of every page; a change of plan is a contract of its own. Businesses give their details when they buy or in Settings.',
        nl: 'Consumenten kunnen elke overeenkomst herroepen met “Hier de overeenkomst herroepen” onderaan elke pagina; een verandering van abonnement is een eigen overeenkomst. Ondernemingen geven hun gegevens op als ze kopen of in Instellingen.',
        fr: 'Les consommateurs peuvent se rétracter de chaque contrat avec « Renoncer au contrat ici », au bas de chaque page ; un changement de formule est un contrat distinct. Les entreprises indiquent leurs données lors de l’achat ou dans les Paramètres.',
        de: 'Verbraucher können jeden Vertrag mit „Vertrag hier widerrufen“ unten auf jeder Seite widerrufen; ein Wechsel des Tarifs ist ein eigener Vertrag. Unternehmen machen ihre Angaben beim Kauf oder in den Einstellungen.',
      },
      values: currentValues,
      load: textsOf('terms', '2026-12-30'),
    },
    {
      from: legalVersions.terms,
      published: '2026-11-23',
      changes: null,
      values: currentValues,
      load: textsOf('terms', '2026-11-23'),
    },
  ],
}

/** The version that applies on a day, `2026-11-23`: the newest that is not announced for later. */
export const versionOn = (versions: readonly LegalVersion[], day: string): LegalVersion | undefined =>
  versions.find(({ from }) => from <= day) ?? versions.at(-1)

/** The day before which a version applied; undefined for the newest. */
export const endOf = (versions: readonly LegalVersion[], version: LegalVersion): string | undefined =>
  versions[versions.indexOf(version) - 1]?.from

/** Whether a version applies on a day, applied before, or will. */
export type VersionState = 'current' | 'earlier' | 'announced'

/** The state of a version on a day. */
export function stateOn(versions: readonly LegalVersion[], version: LegalVersion, day: string): VersionState {
  if (version === versionOn(versions, day)) return 'current'
  return version.from > day ? 'announced' : 'earlier'
}
