import { productName } from '@keepsnap/contract/site.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type * as english from '../en/site.ts'

export const about: typeof english.about = {
  title: 'Over ons',
  description: `Waar ${productName} voor dient, hoe het werkt en wie erachter zit.`,
  heading: 'De beste foto van de avond hoort niet in de camera te blijven',
  lead: `${productName} brengt de foto van de fotograaf bij wie erop staat, terwijl de muziek nog speelt: op het grote scherm, met een code ernaast, en even later op de eigen telefoon.`,
  print: { line: 'Aan tafel', code: 'QR-code van deze voorbeeldfoto' },
  mission: {
    heading: 'Onze missie',
    paragraphs: [
      'Weken na een feest komt er een link met honderden foto’s, en bijna niemand zoekt de zijne nog. Wij denken dat een foto nooit zoveel waard is als in het uur waarin hij gemaakt is, voor de mensen die erop staan.',
      'Daarom maakten we één ding en houden we het eenvoudig: een foto, de code ervan, en niets tussen de gast en het beeld. Geen app en geen account. Vraagt een fotograaf om een e-mailadres, dan dient dat om die foto te sturen en voor niets anders.',
    ],
  },
  how: {
    heading: 'Zo werkt het',
    take: {
      title: 'Maken',
      text: 'De foto wordt geüpload vanaf een camera, een photobooth of een telefoon.',
    },
    show: {
      title: 'Tonen',
      text: 'Zodra hij klaar is, vult hij het grote scherm, met zijn eigen code ernaast.',
    },
    keep: {
      title: 'Bewaren',
      text: 'Gasten scannen de code en bewaren de foto in volle resolutie. Of ze laten een e-mailadres achter en vinden hem in hun mailbox.',
    },
    scan: 'Scan en bewaar',
    save: 'Foto bewaren',
  },
  team: {
    heading: 'Het team',
    operator: 'Beheerder van deze site',
    sample: 'Dit zijn voorbeeldgegevens: de beheerder van deze site heeft nog geen naam en adres ingevuld.',
    failed: 'We konden niet laden wie deze site beheert.',
    open: 'Het programma zelf is opensource, onder de GNU Affero General Public License: iedereen mag het lezen, aanpassen en gebruiken.',
  },
  end: {
    heading: 'Neem het mee naar je volgende feest',
    start: 'Aan de slag',
    upload: 'Foto’s uploaden',
    support: 'Contact opnemen',
  },
}

export const cookies: typeof english.cookies = {
  title: 'Cookiemelding',
  essential: `${productName} bewaart dat je bent ingelogd, je weergave-instellingen en deze keuze op je toestel. Zonder die gegevens werkt de site niet.`,
  permission: 'Als je het goedvindt, tellen we ook bezoeken.',
  noAnalytics: 'Op deze site zijn geen statistieken ingesteld, dus er wordt sowieso niets geteld.',
  more: 'Privacybeleid',
  customize: 'Aanpassen',
  essentialOnly: 'Alleen noodzakelijke',
  acceptAll: 'Alles accepteren',
  choices: 'Wat er gebruikt mag worden',
  essentialName: 'Noodzakelijk',
  essentialHint: 'Altijd aan. Dat je bent ingelogd, je weergave-instellingen en deze keuze.',
  analyticsName: 'Statistieken',
  analyticsHint: (provider, host) =>
    `Telt bezoeken aan pagina’s met ${provider} op ${host}, zonder cookies en zonder je naam of je foto’s. Zo zien we wat moeilijk te vinden is. Geen reclame.`,
  analyticsUnknown: 'Telt bezoeken aan pagina’s, als er op deze site statistieken ingesteld zijn. Geen reclame.',
  save: 'Voorkeuren opslaan',
  close: 'Sluiten',
}

export const home: typeof english.home = {
  title: 'Een QR-code voor elke foto',
  heading: 'Een foto op het scherm, één scan, en je gast neemt hem mee naar huis.',
  lead: `${productName} toont elke foto die je maakt met een eigen QR-code. Gasten richten hun telefoon erop en hebben de foto binnen enkele seconden. Geen app, geen account.`,
  getStarted: 'Aan de slag',
  seeMore: 'Bekijk het grote scherm',
  welcome: 'Welkom',
  welcomeFirst: 'Welkom,',
  welcomeBack: 'Welkom terug,',
  welcomeLead: 'Voeg een foto toe en even later staat de code op het scherm.',
  firstPhotoLead: 'Je volgende stap: voeg een foto toe. De code is even later klaar.',
  firstScreenLead: 'Je eerste foto is er. Je volgende stap: open hem op het grote scherm, waar gasten de code scannen.',
  unconfirmed: 'Je e-mailadres is nog niet bevestigd.',
  unconfirmedAction: 'Zo bevestig je het',
  uploadPhotos: 'Foto’s uploaden',
  openLatest: 'Groot scherm openen',
  pauseExample: 'Voorbeeld pauzeren',
  playExample: 'Voorbeeld afspelen',
  scanLine: 'Scan en bewaar deze foto',
  codeAlt: 'QR-code van de voorbeeldfoto',
  tilesHeading: 'Van klik tot broekzak',
  tiles: {
    bigScreen: {
      title: 'Een groot scherm dat bijblijft',
      text: 'De nieuwste foto verschijnt vanzelf, zo groot als het scherm toelaat, met de code altijd op dezelfde plek.',
      line: 'Scan en bewaar',
    },
    pocket: {
      title: 'In een paar tellen op zak',
      text: 'De code opent de foto, met één grote knop om hem op de telefoon te bewaren.',
      button: 'Foto bewaren',
    },
    mail: {
      title: 'Of per e-mail',
      text: 'Vraag eerst een e-mailadres, als je dat wilt. Je ziet elke aanvraag en of de foto verstuurd is.',
      label: 'Je e-mailadres',
      button: 'Stuur mijn foto',
    },
    brand: {
      title: 'Met jouw naam erop',
      text: `Je logo in de hoek, je achtergrond op het scherm. ${productName} blijft zelf buiten beeld.`,
    },
    gallery: {
      title: 'De hele avond op één plek',
      text: 'Alle foto’s, de nieuwste eerst, in een galerij die ook met duizenden foto’s vlot blijft.',
    },
    booth: {
      title: 'Rechtstreeks uit de photobooth',
      text: 'Laat de camera of photobooth zelf uploaden en zie hoeveel foto’s je deze maand nog hebt.',
      usage: 'Foto’s deze maand',
      used: (photos, most) => `${photos} van ${most}`,
    },
  },
}

/** Rond de teksten van het privacybeleid en de algemene voorwaarden, die in web/features/site/legal staan. */
export const legal: typeof english.legal = {
  contents: 'Op deze pagina',
  short: 'In het kort',
  print: 'Afdrukken',
  current: (date) => `Van kracht sinds ${date}`,
  earlier: (from, until) => `Van kracht van ${from} tot ${until}`,
  announced: (date) => `Van kracht vanaf ${date}`,
  notes: {
    sample: 'Voorbeeldtekst, geen juridisch advies',
    sampleWhy: 'Het bedrijf achter deze site heeft zijn naam en adres nog niet ingevuld.',
    earlier:
      'Dit is een eerdere versie, die niet meer geldt. Namen, adressen en diensten erin zijn die van de huidige instellingen van deze site.',
    announced: 'Deze versie geldt nog niet.',
    unknown: 'Er is geen versie van deze datum. Dit is de versie die geldt.',
    next: (date) => `Vanaf ${date} geldt een nieuwe versie.`,
    toCurrent: 'De geldende versie tonen',
    toNext: 'De nieuwe versie tonen',
  },
  versions: 'Versies',
  first: 'Eerste versie',
  loading: 'De tekst wordt geladen',
  failed: 'De tekst laden is niet gelukt. Controleer je verbinding en probeer het opnieuw.',
}

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

export const pageDescriptions: typeof english.pageDescriptions = {
  app: 'Foto’s delen met een QR-code bij elke foto.',
  previewLine: 'Scan en probeer het',
  home: `${productName} toont elke foto die je maakt op een groot scherm, met een eigen QR-code. Gasten scannen de code en hebben de foto binnen enkele seconden: geen app, geen account.`,
  pricing: `Begin gratis met ${freePhotos} foto’s per maand. Pro geeft je een eigen logo, gebruiksstatistieken en hulp met voorrang; ${plans.pro_yearly.name} ook toegang tot de API. Geen opstartkosten, geld terug binnen ${refundDays} dagen.`,
  demoScreen:
    'Zie wat je gasten zien: de nieuwste foto op het grote scherm, met een QR-code die je meteen kunt scannen.',
  login: 'Log in om foto’s te uploaden en te tonen met hun QR-code.',
  register: `Maak een gratis account met ${freePhotos} foto’s per maand. Upload een foto, en gasten scannen de QR-code om hem te bewaren.`,
  forgotPassword: 'Wachtwoord vergeten? We mailen je een link om een nieuw wachtwoord in te stellen.',
  apiDocs: `Upload en bekijk foto’s vanuit je eigen programma: elke aanroep van de API van ${productName}, met voorbeelden in curl en TypeScript, limieten, fouten en webhooks.`,
  privacy: `Welke gegevens ${productName} bewaart over gebruikers en gasten, waarom, hoelang, en welke rechten je hebt.`,
  terms: `De voorwaarden van ${productName}: abonnementen, betaling, opzegging, je foto’s en onze verantwoordelijkheid.`,
}
