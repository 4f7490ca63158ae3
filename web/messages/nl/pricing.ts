import { billingLimits } from '@keepsnap/contract/limits.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import type * as english from '../en/pricing.ts'

const largestFiles = Array.from(new Set(planIds.map((id) => plans[id].features.max_file_size_mb)))

export const claims: typeof english.claims = {
  title: 'Prijzen',
  lead: 'Bij elk abonnement krijg je onbeperkt QR-codes, zonder opstartkosten. Wijzigen of opzeggen kan altijd.',
  guarantee: `${billingLimits.refundDays} dagen geld-terug-garantie. Stopt je abonnement, dan bewaren we je foto’s nog ${billingLimits.keepDays} dagen.`,
  api: (plan) => `API-toegang zit in ${plan}.`,
  apiDocumentation: 'Lees de API-documentatie',
  heading: 'Vragen en antwoorden',
  questions: [
    {
      question: 'Hebben gasten een app of een account nodig?',
      answer: 'Nee. De camera van de telefoon leest de code, en de foto opent in de browser.',
    },
    {
      question: 'Is het aantal QR-codes beperkt?',
      answer:
        'Nee, er is geen limiet op QR-codes. Elke foto heeft er twee: een om de foto te downloaden en een om hem per e-mail aan te vragen. Scannen kan zo vaak als je wilt.',
    },
    {
      question: 'Zijn er opstartkosten?',
      answer: 'Nee. Je betaalt de prijs van het abonnement, verder niets.',
    },
    {
      question: 'Wat gebeurt er als ik aan mijn maandlimiet zit?',
      answer:
        'Extra foto’s wachten in de uploadlijst tot je een groter abonnement kiest of de volgende maand begint. Foto’s die al geüpload zijn, blijven staan en hun codes blijven werken.',
    },
    {
      question: 'Kan ik wisselen tussen maandelijks en jaarlijks?',
      answer:
        'Ja, wanneer je wilt, hier of in Instellingen. Wat overblijft van de periode die je al betaald hebt, gaat van de nieuwe prijs af.',
    },
    {
      question: 'Kan ik mijn geld terugkrijgen?',
      answer: `Ja, er is een geld-terug-garantie van ${billingLimits.refundDays} dagen: binnen ${billingLimits.refundDays} dagen na je eerste betaling krijg je alles terug wat je betaald hebt. Je vraagt het aan in Instellingen; je abonnement stopt dan meteen. Dit kan één keer per klant.`,
    },
    {
      question: 'Wat gebeurt er met mijn foto’s als ik opzeg?',
      answer: `Je abonnement loopt door tot het einde van de periode die je betaald hebt. Daarna bewaren we je foto’s nog ${billingLimits.keepDays} dagen. Dan verwijderen we de oudste, tot de rest in de opslagruimte van het gratis abonnement past. We mailen je vooraf drie keer, en je kunt het nog ${billingLimits.undoRemovalDays} dagen ongedaan maken.`,
    },
    {
      question: 'Hoe betrouwbaar is het?',
      answer:
        'Het streefcijfer is 99,9% beschikbaarheid: pagina’s en codes zijn hooguit zo’n 44 minuten per maand onbereikbaar. De beheerder van deze site streeft daarnaar; het is geen garantie met vergoeding.',
    },
    {
      question: 'Welke foto’s kan ik uploaden?',
      answer: `JPG, PNG, GIF, WebP, AVIF, TIFF en HEIC: tot ${largestFiles[0]} MB per bestand met het gratis abonnement, tot ${largestFiles.at(-1)} MB met Pro. HDR-foto’s worden zonder hun extra helderheid bewaard.`,
    },
  ],
}

export const pricing: typeof english.pricing = {
  heading: 'Begin gratis. Breid uit als je agenda volloopt.',
  cycle: 'Betaalperiode',
  cycles: { month: 'Per maand', year: 'Per jaar' },
  save: (percent) => `${percent}% korting`,
  marked: { month: 'Altijd opzegbaar', year: 'Voordeligst' },
  names: { free: plans.free.name, pro_monthly: plans.pro_monthly.name, pro_yearly: plans.pro_yearly.name },
  forever: 'voor altijd',
  noCard: 'Geen betaalkaart nodig',
  vat: 'Alle prijzen zijn inclusief btw waar die verschuldigd is.',
  perMonth: 'per maand',
  perYear: 'per jaar',
  perInterval: (amount, per) => `${amount} ${per}`,
  paidMonthly: 'Maandelijks betalen, altijd opzegbaar',
  aboutPerMonth: (price, saving) => `ongeveer ${price} per maand, ${saving}`,
  inAYear: (price) => `${price} per jaar`,
  photos: (count) => `${count} foto’s per maand`,
  storage: (gigabytes) => `${gigabytes} GB opslagruimte`,
  files: (megabytes) => `Bestanden tot ${megabytes} MB`,
  bothCodes: 'Beide QR-codes bij elke foto',
  branding: 'Je eigen logo, achtergrond en watermerk',
  brandingShort: 'Je eigen logo en watermerk',
  analytics: 'Statistieken en hulp met voorrang',
  api: 'API-toegang voor je photobooth of camera',
  apiShort: 'API-toegang',
  notIncluded: 'Niet inbegrepen: ',
  getStarted: 'Aan de slag',
  startsFree: 'Elk account begint met het gratis abonnement.',
  choose: (plan) => `Kies ${plan}`,
  changePlan: 'Overstappen',
  yourPlan: 'Je abonnement',
  endsOn: (date) => `Loopt tot ${date}`,
  complimentary: 'Cadeau',
  complimentaryUntil: (date) => `Cadeau tot ${date}`,
  paidUntil: (date) => `Betaald tot ${date}. Nu geldt een beter cadeauabonnement.`,
  notSold: 'Deze site verkoopt geen abonnementen.',
  paused: 'Deze site kan op dit moment geen betalingen aannemen. Probeer het later opnieuw.',
  pending: 'Je betaling is onderweg. Je abonnement start zodra ze aankomt.',
  payFirst: 'Er staat nog een betaling open. Zodra die binnen is, kun je overstappen.',
  toSettings: 'Naar Instellingen',
  plansFailed: 'Een abonnement afsluiten kan nu even niet: we konden de lijst niet ophalen.',
  statusFailed: 'Je abonnement ophalen is niet gelukt',
  checkoutFailed: 'De betaalpagina kon niet worden geopend. Probeer het opnieuw.',
  chosen: (plan, price) => `Je koos ${plan}, ${price}.`,
  toPayment: 'Doorgaan naar betaling',
  freeNow: {
    title: (plan) => `Nu al betalen voor ${plan}?`,
    question: (date) =>
      `Je cadeauabonnement loopt nog tot ${date} en biedt minstens evenveel. Je zou vanaf vandaag betalen en vóór die datum niets extra’s krijgen.`,
  },
}
