import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/frame.ts'

export const copying: typeof english.copying = {
  copy: 'Kopiëren',
  copyNamed: (label) => `Kopiëren: ${label}`,
  copied: 'Gekopieerd',
  selected: 'Geselecteerd',
}

export const frame: typeof english.frame = {
  skip: 'Naar de inhoud',
  documentTitle: (page) => `${page} · ${productName}`,
  mainNavigation: 'Hoofdmenu',
  phoneNavigation: 'Hoofdmenu, telefoon',
  footerNavigation: 'Voettekst',
  menu: 'Menu',
  accountMenu: 'Accountmenu',
  accountMenuReports: (count) => `Accountmenu, ${count === 1 ? '1 foto' : `${count} foto’s`} gemeld`,
  reported: (count) => (count === 1 ? '1 foto gemeld' : `${count} foto’s gemeld`),
  links: {
    home: 'Home',
    latest: 'Nieuwste',
    gallery: 'Galerij',
    upload: 'Upload',
    settings: 'Instellingen',
    pricing: 'Prijzen',
    profile: 'Je profiel',
    photoRequests: 'Fotoaanvragen',
    insights: 'Statistieken',
    events: 'Evenementen',
    print: 'Tafelkaart en poster',
    admin: 'Beheer',
    login: 'Inloggen',
    register: 'Registreren',
    about: 'Over ons',
    support: 'Hulp',
    withdraw: 'Hier de overeenkomst herroepen',
    privacy: 'Privacybeleid',
    terms: 'Algemene voorwaarden',
    accessibility: 'Toegankelijkheid',
  },
  cookieSettings: 'Cookie-instellingen',
  signOut: 'Uitloggen',
  plan: (name) => `Abonnement ${name}`,
  unconfirmed: 'E-mailadres niet bevestigd',
  theme: 'Weergave',
  themes: { system: 'Systeem', light: 'Licht', dark: 'Donker' },
  notifications: 'Berichten',
}

export const languages: typeof english.languages = {
  label: 'Taal',
  hint: 'Voor alles wat je hier ziet, en voor de e-mails die we je sturen.',
  saveFailed: 'De taal opslaan is niet gelukt. Probeer het opnieuw.',
}

export const live: typeof english.live = {
  connected: 'WS: verbonden',
  disconnected: 'WS: niet verbonden',
  statuses: {
    disconnected: 'Niet verbonden',
    connecting: 'Maakt verbinding',
    connected: 'Verbonden',
    error: 'Fout',
    reconnecting: 'Verbindt opnieuw',
    failed: 'Mislukt na vijf pogingen',
  },
}

export const noScript: typeof english.noScript = {
  needed: `${productName} heeft JavaScript nodig. Zet het aan in de instellingen van je browser en laad deze pagina opnieuw.`,
  unsupported: `${productName} heeft een nieuwere browser nodig: Chrome 108, Safari 16.4, Firefox 115 of later. Is die van jou nieuwer, laad deze pagina dan opnieuw.`,
}

export const notFound: typeof english.notFound = {
  title: 'Pagina niet gevonden',
  heading: 'Deze pagina zit niet in het album',
  lead: 'Misschien zit er een tikfout in het adres, of is de pagina verhuisd.',
  print: 'Hier is geen foto gemaakt',
  goBack: 'Terug',
  goHome: 'Naar de startpagina',
  stillLost: 'Kom je er niet uit?',
  contactSupport: 'Neem contact op',
}

export const notices: typeof english.notices = {
  emailOff:
    'E-mail is niet ingesteld, dus gasten kunnen geen foto’s aanvragen. Stel SMTP_URL en MAIL_FROM in op de server en herstart die.',
  emailsWait:
    'E-mails aan gasten wachten: de outbox-map of de schijf is vol. Stel SMTP_URL in, verhoog OUTBOX_MAX_MB of haal bestanden uit de map.',
}

export const samples: typeof english.samples = {
  table: 'Kaarsen en rode wijn op een lange gedekte tafel',
  topper: 'Een houten bruidspaartje tussen de gasten, met lichtjes op de achtergrond',
  dance: 'De openingsdans van een koppel tussen twee vonkenfonteinen',
  balloons: 'Rode, witte en gouden ballonnen tegen een lichte achtergrond',
  rings: 'Twee trouwringen naast papieren rozen',
  family: 'Een gezinnetje van houten poppetjes in een wei bij zonsondergang',
}

export const states: typeof english.states = {
  loading: 'Laden...',
  saving: 'Opslaan...',
  profileFailed: 'Je profiel laden is niet gelukt.',
  tryAgain: 'Opnieuw proberen',
  cancel: 'Annuleren',
  close: 'Sluiten',
  showPassword: 'Wachtwoord tonen',
  hidePassword: 'Wachtwoord verbergen',
  pageError: {
    heading: 'Er ging iets mis',
    lead: 'Deze pagina is vastgelopen. Je foto’s zijn veilig. Opnieuw laden helpt meestal.',
    reloads: 'Deze pagina werkt niet meer. Je foto’s zijn veilig. De pagina wordt zo vanzelf opnieuw geladen.',
    reload: 'Pagina opnieuw laden',
  },
  tooManyRequests: (seconds) =>
    `Te veel verzoeken na elkaar. Wacht ${seconds} ${seconds === 1 ? 'seconde' : 'seconden'} en probeer het opnieuw.`,
  unreachable: {
    heading: 'We kunnen de server niet bereiken',
    lead: 'Controleer de verbinding van dit toestel. Je bent nog altijd ingelogd, en deze pagina probeert het vanzelf opnieuw.',
    retries: 'Controleer de verbinding van dit toestel. Deze pagina probeert het vanzelf opnieuw.',
  },
}
