import { billingLimits, withdrawalLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/withdrawals.ts'

const { withdrawalDays, refundDays } = billingLimits

export const withdrawal: typeof english.withdrawal = {
  title: 'Overeenkomst herroepen',
  lead: `Binnen ${withdrawalDays} dagen nadat je een overeenkomst voor een betaald abonnement sloot, kun je ze zonder reden herroepen. Je krijgt terug wat je ervoor betaalde. Een verandering tussen maandelijks en jaarlijks is een eigen overeenkomst.`,
  own: {
    heading: 'Je overeenkomst',
    plan: 'Abonnement',
    made: 'Gesloten op',
    invoice: 'Factuur',
    until: 'Herroepen tot en met',
    date: (date) => date,
    contract: (plan, date, invoice) => `${plan}, gesloten op ${date}, factuur ${invoice}`,
    other: 'Een andere overeenkomst herroepen',
    back: 'Mijn huidige overeenkomst herroepen',
  },
  none: 'Je account heeft nu geen betaalde overeenkomst. Bedoel je een andere, zeg dan welke.',
  over: (date) => `De ${withdrawalDays} dagen voor deze overeenkomst waren voorbij op ${date}.`,
  moneyBack: (date) => `Tot ${date} kun je in Instellingen nog je geld terugvragen, één keer per account.`,
  later: `Na die dagen geldt misschien nog de garantie van ${refundDays} dagen geld terug: één keer per account, in Instellingen.`,
  settings: 'Instellingen openen',
  offerFailed: 'Je overeenkomst kon niet geladen worden. Je kunt toch herroepen: zeg welke overeenkomst je bedoelt.',
  earlier: (when) => `Je herriep een overeenkomst op ${when}.`,
  signedOut: 'Heb je een account?',
  signIn: 'Meld je aan',
  signInHint: 'om dit ingevuld te krijgen. Herroepen kan ook zonder aanmelden.',
  fields: { name: 'Naam', email: 'E-mail', contract: 'Welke overeenkomst' },
  emailHint: 'Het adres van je account. Het ontvangstbewijs gaat daarheen.',
  contractHint: 'Het abonnement en wanneer je het koos, of het nummer van de factuur.',
  problems: {
    name: { missing: 'Vul je naam in', long: (most) => `Gebruik hooguit ${most} tekens` },
    contract: {
      missing: 'Zeg welke overeenkomst: het abonnement en de datum, of het nummer van een factuur',
      long: (most) => `Gebruik hooguit ${most} tekens`,
    },
    email: {
      missing: 'Vul je e-mailadres in',
      at: 'Vul een volledig adres in, zoals naam@example.com',
      ending: 'Het einde van het adres ontbreekt, zoals .be of .com',
      several: 'Vul maar één adres in',
      space: 'Er staat een spatie in het adres',
      characters: 'Er staan tekens in het adres die niet mogen',
      long: 'Het adres is te lang',
      form: 'Dit lijkt geen e-mailadres te zijn',
    },
  },
  next: 'Overeenkomst herroepen',
  confirm: {
    heading: 'Bevestig je herroeping',
    lead: 'Er is nog niets gebeurd. Met de knop hieronder verklaar je:',
    declaration: 'Ik herroep deze overeenkomst.',
    own: (plan) =>
      `${plan} stopt meteen. Je krijgt terug wat je voor deze overeenkomst betaalde, binnen ${withdrawalLimits.decideDays} dagen en met hetzelfde betaalmiddel.`,
    email:
      'We sturen een ontvangstbewijs naar dit adres. Hoort het bij een account met een overeenkomst, dan leidt het ontvangstbewijs naar een pagina die het abonnement stopt en het geld terugbetaalt.',
    photos:
      'Je foto’s blijven voorlopig. Nemen ze meer in dan in Free past, dan mailen we je voordat er worden verwijderd.',
    submit: 'Herroeping bevestigen',
    sending: 'Bezig met herroepen',
    back: 'Terug',
  },
  failed: 'Je herroeping is niet gedaan.',
  offline: 'Je lijkt offline te zijn. Controleer je verbinding en probeer het opnieuw.',
  tryAgain: 'Probeer het opnieuw.',
  stillHere: 'Wat je invulde, staat er nog.',
  orEmail: 'Een herroeping per e-mail telt net zo goed. Schrijf naar',
  made: {
    heading: 'Je hebt herroepen',
    at: (when) => `Je herroeping is gedaan op ${when}.`,
    receipt: 'Een ontvangstbewijs met wat je verklaarde, de datum en het uur is onderweg naar',
    ended: 'Je betaalde abonnement is gestopt.',
    onItsWay: 'Je geld is onderweg.',
    refunded: (amount) => `We hebben ${amount} terugbetaald; je bank kan enkele dagen nodig hebben om het te tonen.`,
    nothing: 'Er was niets meer terug te betalen.',
    demo: 'Demo: er gaat geen geld om.',
    late: (date) =>
      `De ${withdrawalDays} dagen voor deze overeenkomst waren voorbij op ${date}, dus je abonnement loopt door. We bewaren je herroeping en bekijken ze.`,
    email:
      'Het ontvangstbewijs zegt wat volgt. Hoort bij dit adres een overeenkomst, druk dan op de knop van de pagina waar het ontvangstbewijs naartoe leidt: die stopt het abonnement en betaalt het geld terug. Doe je dat niet, dan doen wij het.',
    spam: 'Na enkele minuten nog geen ontvangstbewijs? Kijk in je spammap, en controleer het adres.',
    settings: 'Naar Instellingen',
    home: 'Naar de startpagina',
  },
}
