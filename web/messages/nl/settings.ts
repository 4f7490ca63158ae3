import { nameChars } from '@keepsnap/contract/form-rules.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/settings.ts'

/** The account itself, on the profile and settings pages. */
export const account: typeof english.account = {
  title: 'Instellingen',
  heading: 'Instellingen',
  sections: 'Onderdelen van de instellingen',
  profileTitle: 'Je profiel',
  edit: 'Profiel bewerken',
  username: 'Gebruikersnaam',
  email: 'E-mailadres',
  tier: 'Soort abonnement',
  tiers: { free: 'Free', pro: 'Pro' },
  genericError: 'Er ging iets mis. Probeer het opnieuw.',
  plan: { name: 'Abonnement' },
  profile: {
    name: 'Profiel',
    lead: 'Je accountgegevens. Gasten zien alleen de merknaam.',
    save: 'Opslaan',
    username: {
      label: 'Gebruikersnaam',
      hint: 'Alleen jij en de beheerders van deze site zien die.',
      saved: 'Je gebruikersnaam is bijgewerkt',
      failed: 'Je gebruikersnaam bijwerken is niet gelukt. Probeer het opnieuw.',
    },
    brandName: {
      label: 'Merknaam (optioneel)',
      hint: 'Gasten zien die in de e-mails met je foto’s.',
      afterConfirming: 'We gebruiken die zodra je e-mailadres bevestigd is.',
      saved: 'Je merknaam is bijgewerkt',
      failed: 'Je merknaam bijwerken is niet gelukt. Probeer het opnieuw.',
    },
    timeZone: {
      label: 'Tijdzone',
      hint: 'Voor tijden in e-mails, de bestandsnamen van foto’s die gasten bewaren en de avonden in Galerij en Statistieken.',
      server: 'De tijdzone van de server',
      saved: 'Je tijdzone is bijgewerkt',
      failed: 'Je tijdzone bijwerken is niet gelukt. Probeer het opnieuw.',
    },
    verified: 'Bevestigd',
    unverified: 'Dit adres is nog niet bevestigd. Klik op de link in onze e-mail of vraag een nieuwe aan.',
    resend: 'E-mail opnieuw sturen',
    resent: (email) => `We hebben een e-mail gestuurd naar ${email}.`,
    change: 'E-mailadres wijzigen',
  },
  changeEmail: {
    title: 'E-mailadres wijzigen',
    lead: 'We sturen een bevestigingslink naar het nieuwe adres. Tot je erop klikt, blijft je huidige adres gelden.',
    email: 'Nieuw e-mailadres',
    emailNeeded: 'Vul een e-mailadres in, zoals naam@example.com.',
    emailSame: 'Dit is al je adres.',
    password: 'Je wachtwoord',
    passwordNeeded: 'Vul je wachtwoord in.',
    submit: 'Link sturen',
    sent: (email) => `We hebben een e-mail gestuurd naar ${email}. Je adres verandert zodra je op de link erin klikt.`,
  },
}

const problems = (chars: number) => ({
  missing: 'Vul een naam in',
  long: `Gebruik hooguit ${chars} tekens`,
  characters: 'Er staan regeleinden of onzichtbare tekens in de naam. Typ hem opnieuw',
  link: 'In de naam mag geen link of e-mailadres staan. Zet een spatie na een punt',
})

export const names: typeof english.names = {
  brandName: problems(nameChars.brandName),
  username: problems(nameChars.username),
  apiKey: { ...problems(nameChars.apiKey), missing: 'Geef je API-sleutel een naam' },
}

/** Password, devices, data export and account deletion. */
export const security: typeof english.security = {
  name: 'Beveiliging',
  genericError: 'Er ging iets mis. Probeer het opnieuw.',
  password: {
    title: 'Wachtwoord',
    hint: 'Als je het wijzigt, word je uitgelogd op al je andere toestellen.',
    change: 'Wachtwoord wijzigen',
    current: 'Huidig wachtwoord',
    currentNeeded: 'Vul je huidige wachtwoord in.',
    password: 'Nieuw wachtwoord',
    confirm: 'Herhaal je wachtwoord',
    submit: 'Wachtwoord instellen',
    done: 'Je wachtwoord is gewijzigd. Andere toestellen zijn uitgelogd.',
  },
  confirmation: {
    password: 'Je wachtwoord',
    passwordHint: `De komende ${accountLimits.passwordMinutes} minuten vragen we het niet opnieuw.`,
    passwordNeeded: 'Vul je wachtwoord in.',
    passwordFailed: 'We konden je wachtwoord niet controleren. Probeer het opnieuw.',
  },
  access: {
    title: 'Controleer wat nog toegang heeft',
    lead: 'API-sleutels en webhooks blijven werken na een nieuw wachtwoord. Verwijder wat je niet kent of niet meer nodig hebt. Wat is gemaakt sinds je vorige wachtwoord werd ingesteld, is aangevinkt.',
    endAllLead:
      'API-sleutels en webhooks blijven werken, tenzij je ze ook verwijdert. Wat is gemaakt sinds je wachtwoord werd ingesteld, is aangevinkt.',
    list: 'API-sleutels en webhooks',
    key: (name) => `API-sleutel “${name}”`,
    webhook: (host) => `Webhook naar ${host}`,
    created: (date) => `Gemaakt op ${date}`,
    used: (when) => `Laatst gebruikt op ${when}`,
    neverUsed: 'Nooit gebruikt',
    delete: (count) => `Selectie verwijderen (${count})`,
    deleteAndEndAll: (count) => `Selectie verwijderen (${count}) en uitloggen`,
    keepAll: 'Alles behouden',
    done: 'Verwijderd. Ze werken binnen een seconde niet meer.',
    failed: 'Verwijderen is niet gelukt. Probeer het opnieuw.',
  },
  sessions: {
    title: (count, one) => (one ? 'Ingelogd op 1 toestel' : `Ingelogd op ${count} toestellen`),
    loading: 'Waar je bent ingelogd',
    failed: 'De lijst met toestellen laden is niet gelukt.',
    show: 'Toestellen tonen',
    hide: 'Toestellen verbergen',
    thisDevice: 'Dit toestel',
    used: (when) => `Laatst gebruikt op ${when}`,
    since: (when) => `Ingelogd sinds ${when}`,
    unknown: 'Onbekend toestel',
    browserOnSystem: (browser, system) => `${browser} op ${system}`,
    browser: 'Browser',
    end: 'Uitloggen',
    endOne: (device) => `Uitloggen: ${device}`,
    ended: 'Het toestel is uitgelogd.',
    endAll: 'Overal uitloggen',
    endAllQuestion:
      'Uitloggen op alle toestellen, ook op dit toestel? Gedeelde links naar foto’s in volle resolutie werken dan niet meer.',
    endedAll: 'Je bent uitgelogd op alle toestellen.',
  },
  data: {
    title: 'Je gegevens',
    hint: 'Alles wat we over je bewaren, in één bestand. We mailen je de link.',
    start: 'Gegevens exporteren',
    again: 'Nieuw bestand maken',
    queued: (email) => `We maken je bestand klaar en mailen de link naar ${email}.`,
    ready: (size, until) => `Je bestand van ${size} staat klaar. De link in de e-mail werkt tot ${until}.`,
    failed: 'Het bestand maken is niet gelukt. Probeer het opnieuw.',
    loadFailed: 'We konden niet nagaan hoe het met je bestand staat.',
  },
  deletion: {
    title: 'Account verwijderen',
    hint: 'Je foto’s, codes en aanvragen worden ook verwijderd.',
    open: 'Mijn account verwijderen',
    heading: 'Mijn account verwijderen',
    question: 'Je kunt dit niet ongedaan maken. We verwijderen voorgoed:',
    photos: (count, one) => (one ? 'je foto' : `je ${count} foto’s`),
    noPhotos: 'je account en je instellingen',
    codes: 'elke code die je hebt afgedrukt of gedeeld (ze werken dan niet meer)',
    requests: 'de aanvragen en e-mailadressen van je gasten',
    brand: 'je logo, je achtergrond en je geëxporteerde gegevens',
    exportFirst: 'Misschien wil je eerst je gegevens exporteren.',
    password: 'Je wachtwoord',
    passwordNeeded: 'Vul je wachtwoord in.',
    submit: 'Mijn account verwijderen',
    done: 'Je account is verwijderd. We hebben je een bevestiging gemaild.',
  },
}

/** The switches of the settings page. */
export const settings: typeof english.settings = {
  askForEmail: {
    label: 'E-mailadres vragen',
    hint: 'Gasten vullen een adres in en krijgen de foto per e-mail. Dit geldt ook voor codes die je al hebt afgedrukt.',
    saved: 'De e-mailinstelling is bijgewerkt',
    failed: 'De e-mailinstelling bijwerken is niet gelukt. Probeer het opnieuw.',
  },
  photos: 'Foto’s',
  watermark: {
    label: 'Watermerk',
    hint: 'Zet je logo op nieuwe foto’s. Daarvoor heb je een logo en een Pro-abonnement nodig.',
    saved: 'De watermerkinstelling is bijgewerkt',
    failed: 'De watermerkinstelling bijwerken is niet gelukt',
  },
  watermarkLayout: {
    size: 'Grootte',
    sizes: { small: 'Klein', medium: 'Middelgroot', large: 'Groot' },
    strength: 'Sterkte',
    strengths: { light: 'Licht', medium: 'Gemiddeld', strong: 'Sterk' },
    corner: 'Plaats',
    corners: {
      'top-left': 'Linksboven',
      'top-right': 'Rechtsboven',
      center: 'Midden',
      'bottom-left': 'Linksonder',
      'bottom-right': 'Rechtsonder',
    },
    saved: 'De watermerkinstelling is bijgewerkt',
    failed: 'De watermerkinstelling bijwerken is niet gelukt',
  },
  mail: 'E-mail',
  preferences: {
    saved: 'Je e-mailvoorkeuren zijn bijgewerkt',
    failed: 'Je e-mailvoorkeuren bijwerken is niet gelukt',
  },
  news: { label: 'Productnieuws', hint: 'Een korte e-mail als er iets nieuws klaar is. Een paar keer per jaar.' },
  offers: { label: 'Aanbiedingen', hint: 'Kortingen en seizoensacties.' },
  removals: {
    label: 'Voordat adressen worden verwijderd',
    hint: 'Een e-mail als binnen 14 dagen 20 of meer adressen van gasten worden verwijderd. Hooguit één per maand.',
  },
  service:
    'Noodzakelijke e-mails over je account, zoals voor een nieuw wachtwoord, krijg je altijd. Er staat geen reclame in.',
}
