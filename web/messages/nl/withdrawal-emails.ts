import type * as english from '../en/withdrawal-emails.ts'

/** De bevestiging van een herroeping. Ze herhaalt wat er geschreven is, zoals de wet het wil. */
export const withdrawalEmails: typeof english.withdrawalEmails = {
  subject: 'Je herroeping van de overeenkomst',
  preview: (when) => `Gedaan op ${when}.`,
  lead: (host, when) =>
    `Op ${when} heb je een overeenkomst bij ${host} herroepen. Deze e-mail is je ontvangstbewijs; bewaar hem goed.`,
  declared: 'Wat er verklaard is',
  declaration: 'Ik herroep deze overeenkomst.',
  labels: { name: 'Naam', email: 'E-mailadres', contract: 'Overeenkomst', made: 'Gedaan op' },
  accepted: (plan) =>
    `${plan} is beëindigd, en wat je voor deze overeenkomst betaald hebt, wordt teruggestort met dezelfde betaalwijze. In een andere e-mail staat hoeveel het is.`,
  acceptedPlan: 'Je abonnement',
  link: (plan, concluded) =>
    `We hebben deze overeenkomst gevonden: ${plan}, gesloten op ${concluded}. Druk op de knop en bevestig op de pagina die opent: het abonnement eindigt en je geld gaat meteen terug.`,
  linkOr: (date) =>
    `Doe je dat niet, dan doen wij het zelf, ten laatste op ${date}. Je herroeping telt vanaf het moment waarop je ze gedaan hebt.`,
  unmatched:
    'Met dit e-mailadres is geen lopende overeenkomst gevonden. Heb je voor je account een ander adres gebruikt, of bedoel je een overeenkomst die al afgelopen is? Beantwoord dan deze e-mail of schrijf naar support: we zoeken ze op.',
  late: (plan, concluded, until) =>
    `We hebben deze overeenkomst gevonden: ${plan}, gesloten op ${concluded}. De tijd om ze te herroepen was voorbij op ${until}, dus het abonnement loopt door.`,
  lateAdvice: (days) =>
    `Misschien kun je je geld nog terugkrijgen: binnen ${days} dagen na je eerste betaling, één keer per account, bij Instellingen. We bekijken je herroeping ook, en schrijven je als ze toch telt.`,
  closed:
    'We hebben deze herroeping bekeken, en er is niets meer te doen. Denk je dat dit een vergissing is? Beantwoord dan deze e-mail of schrijf naar support.',
  looking:
    'We zoeken je overeenkomst. Er volgt nog een e-mail, met wat we gevonden hebben. Je herroeping telt vanaf het moment waarop je ze gedaan hebt.',
  button: 'Abonnement beëindigen en geld terug',
  reason: (host) =>
    `Je krijgt deze e-mail omdat dit adres is ingevuld in een herroeping bij ${host}. Was jij dat niet? Dan hoef je niets te doen.`,
}

/** De pagina van de link in die bevestiging. */
export const withdrawalLink: typeof english.withdrawalLink = {
  title: 'Je herroeping',
  description: 'Rond je herroeping van een overeenkomst af.',
  ask: {
    heading: (plan) => `${plan} beëindigen en je geld terugkrijgen?`,
    lead: (when) => `Je hebt deze overeenkomst herroepen op ${when}.`,
    effect:
      'Het abonnement eindigt meteen, en wat je voor deze overeenkomst betaald hebt, wordt teruggestort met dezelfde betaalwijze. Je account blijft, met het gratis abonnement.',
    button: 'Abonnement beëindigen en geld terug',
  },
  accepted: {
    heading: (plan) => `${plan} wordt beëindigd`,
    lead: 'Je geld is onderweg naar je terug. Dat kan even duren; je hoeft niets te doen.',
  },
  done: {
    heading: (plan) => `${plan} is beëindigd`,
    refunded: (amount) => `We hebben ${amount} terugbetaald. Het kan enkele dagen duren voor je bank het toont.`,
    nothing: 'Er was niets meer om terug te betalen.',
  },
  closed: {
    heading: 'Er is niets te doen',
    lead: 'Deze herroeping is afgesloten. Denk je dat dit een vergissing is? Schrijf dan naar support.',
  },
  gone: {
    heading: 'Deze link is niet geldig',
    advice:
      'Misschien ontbreekt er een stuk, of is hij te oud. Open hem opnieuw vanuit de e-mail, of schrijf naar support.',
  },
  support: 'Neem contact op',
}
