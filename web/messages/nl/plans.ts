import { billingLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/plans.ts'

export const checkout: typeof english.checkout = {
  success: {
    title: 'Welkom bij Pro!',
    lead: 'Je abonnement is gestart, met je nieuwe limieten.',
    coveredTitle: 'Bedankt, je betaling is binnen',
    coveredLead: (plan, better) => `Je cadeauabonnement ${better} biedt meer en loopt door. Daarna geldt ${plan}.`,
    plan: 'Abonnement',
    price: 'Prijs',
    next: 'Volgende betaling',
    date: (date) => date,
    upload: 'Foto’s uploaden',
    settings: 'Naar Instellingen',
    withdraw: `Je kunt deze overeenkomst binnen ${billingLimits.withdrawalDays} dagen zonder reden herroepen:`,
    withdrawLink: 'Hier de overeenkomst herroepen',
    refund: (date) => `Toch niet tevreden? Tot ${date} kun je in Instellingen je geld terugvragen.`,
    line: 'Klaar voor je logo',
    demo: 'Demo: zonder echt geld.',
  },
  verifying: {
    title: 'We controleren je betaling',
    lead: 'Dat duurt een paar seconden. De pagina gaat vanzelf verder.',
  },
  problems: {
    late: {
      title: 'We kunnen je betaling nog niet bevestigen',
      lead: 'Je hoeft niet opnieuw te betalen. Is de betaling gelukt, dan start je abonnement vanzelf binnen het uur.',
    },
    pending: {
      title: 'Je betaling is onderweg',
      lead: 'Met deze betaalwijze kan dat tot twee weken duren. Je abonnement start zodra ze aankomt; je hoeft niet opnieuw te betalen.',
    },
    refused: {
      title: 'Je abonnement is niet gestart',
      lead: 'Deze bestelling is niet betaald. Heb je net betaald? Kijk dan zo meteen opnieuw.',
    },
    unknown: {
      title: 'We kennen deze bestelling niet',
      lead: 'Misschien hoort ze bij een ander account of is de link onvolledig. In Instellingen zie je het abonnement van dit account.',
    },
    missing: {
      title: 'Er is geen bestelling om te bevestigen',
      lead: 'De link naar deze pagina is onvolledig. In Instellingen zie je je abonnement.',
    },
    reference: 'Referentie',
    checkAgain: 'Opnieuw kijken',
    settings: 'Naar Instellingen',
    plans: 'Prijzen bekijken',
  },
  cancelled: {
    title: 'Bestelling geannuleerd',
    lead: 'Je bent gestopt vóór het betalen. Er is niets afgeschreven.',
    planStays: (plan) => `Je abonnement is nog altijd ${plan}.`,
    plans: 'Prijzen bekijken',
    home: 'Naar de startpagina',
    upload: 'Foto’s uploaden',
    stays: 'Je foto’s blijven zoals ze zijn',
    left: (left) => `Nog ${left} foto’s deze maand`,
  },
}

export const demoCheckout: typeof english.demoCheckout = {
  title: 'Demobetaling',
  description: 'Betaal een abonnement bij wijze van demonstratie, zonder echt geld.',
  mark: 'Demo: zonder echt geld',
  markLead:
    'Deze pagina komt in de plaats van de betaalpagina. Er wordt geen echte kaart gevraagd en niets afgeschreven.',
  back: (product) => `Terug naar ${product}`,
  order: 'Je bestelling',
  subscription: (product) => `Abonnement op ${product}`,
  line: { month: (plan) => `${plan}, een maand`, year: (plan) => `${plan}, een jaar` },
  setupFee: 'Opstartkosten',
  total: 'Totaal vandaag',
  renews: {
    month: 'Wordt elke maand verlengd tot je opzegt.',
    year: 'Wordt elk jaar verlengd tot je opzegt.',
  },
  moneyBack: (days) => `${days} dagen geld-terug-garantie.`,
  agree: ['Door te betalen aanvaard je de ', '.'],
  choose: 'Kies hoe het afloopt',
  lead: 'Twee voorbeeldkaarten, zodat je beide uitkomsten kunt proberen.',
  card: 'Voorbeeldkaart',
  cards: {
    succeed: {
      name: 'Kaart die betaalt',
      number: '4242 4242 4242 4242',
      effect: 'De betaling lukt en je abonnement start.',
    },
    decline: {
      name: 'Kaart die wordt geweigerd',
      number: '4000 0000 0000 0002',
      effect: 'Je blijft hier en ziet de weigering.',
    },
  },
  declined: {
    heading: 'De kaart is geweigerd.',
    advice: 'Er is niets afgeschreven en je abonnement is niet veranderd. Kies de andere kaart of ga terug.',
  },
  pay: (price) => `${price} betalen (demo)`,
  cancel: 'Annuleren en teruggaan',
  ended: {
    paid: {
      heading: 'Deze bestelling is al betaald',
      lead: 'Er wordt niets dubbel afgeschreven. In Instellingen zie je je abonnement.',
    },
    expired: {
      heading: 'Deze bestelling is verlopen',
      lead: 'Er is niets afgeschreven. Kies een abonnement om opnieuw te beginnen.',
    },
    unknown: {
      heading: 'Deze bestelling bestaat niet',
      lead: 'Er is niets afgeschreven. Kies een abonnement om opnieuw te beginnen.',
    },
  },
  toPlans: 'Prijzen bekijken',
  toSettings: 'Naar Instellingen',
}

export const keptPhotos: typeof english.keptPhotos = {
  removal: (photos, count, date) =>
    photos === 1 ? `Op ${date} wordt 1 foto verwijderd.` : `Op ${date} worden ${count} foto’s verwijderd.`,
  reason: (photos, size, storage) =>
    photos === 1
      ? `Je oudste foto (${size}) past niet meer in je ${storage} opslagruimte. Wil je hem houden? Kies een groter abonnement of verwijder andere foto’s. Hieronder kun je ook alles downloaden, bij Je gegevens.`
      : `De oudste (${size}) passen niet meer in je ${storage} opslagruimte. Wil je ze houden? Kies een groter abonnement of verwijder andere foto’s. Hieronder kun je ook alles downloaden, bij Je gegevens.`,
  removed: (photos, count) => (photos === 1 ? '1 foto is verwijderd.' : `${count} foto’s zijn verwijderd.`),
  restorable: (photos, size, date) =>
    photos === 1
      ? `Hij (${size}) paste niet in je opslagruimte. Tot ${date} kun je hem terugzetten: met een groter abonnement komt hij vanzelf terug, of hier zodra er plaats is.`
      : `Ze (${size}) pasten niet in je opslagruimte. Tot ${date} kun je ze terugzetten: met een groter abonnement komen ze vanzelf terug, of hier zodra er plaats is.`,
  gallery: 'Galerij openen',
  settings: 'Wat je kunt doen',
  restore: (photos) => (photos === 1 ? 'Foto terugzetten' : 'Foto’s terugzetten'),
  restored: (photos, count) => (photos === 1 ? '1 foto is terug.' : `${count} foto’s zijn terug.`),
  remaining: (photos, count) => (photos === 1 ? '1 foto past nog niet.' : `${count} foto’s passen nog niet.`),
  failed: (photos) =>
    photos === 1
      ? 'De foto terugzetten is niet gelukt. Probeer het opnieuw.'
      : 'De foto’s terugzetten is niet gelukt. Probeer het opnieuw.',
}

export const subscription: typeof english.subscription = {
  errors: {
    noToken: 'Je bent niet ingelogd',
    expired: 'Je sessie is verlopen. Log opnieuw in.',
    status: 'Je abonnement ophalen is niet gelukt',
    cancel: 'Je abonnement opzeggen is niet gelukt. Probeer het opnieuw.',
    resume: 'Je abonnement voortzetten is niet gelukt. Probeer het opnieuw.',
    change: 'Je abonnement wijzigen is niet gelukt. Probeer het opnieuw.',
    refund: 'Je geld terugbetalen is niet gelukt. Probeer het opnieuw.',
    portal: 'De betaalpagina kon niet worden geopend. Probeer het opnieuw.',
    invoices: 'Je betalingen laden is niet gelukt.',
  },
  done: {
    cancelled: 'Je abonnement is opgezegd. Je houdt toegang tot het einde van je betaalperiode.',
    ended: 'Je abonnement is opgezegd. Het is meteen gestopt, omdat de laatste betaling ontbrak.',
    resumed: 'Je abonnement loopt door.',
    changed: (plan) => `Je abonnement is nu ${plan}.`,
    refunded: (amount) => `We hebben ${amount} terugbetaald. Je abonnement is gestopt.`,
    refundedAfterEnd: (amount) => `We hebben ${amount} terugbetaald.`,
    nothingToRefund: 'Je abonnement is gestopt. Er was hier niets terug te betalen, want de betaling ligt bij je bank.',
  },
  badges: {
    none: 'Geen betaald abonnement',
    active: 'Actief',
    complimentary: 'Cadeau',
    ends: (date) => `Loopt tot ${date}`,
    pastDue: 'Betaling open',
  },
  facts: {
    plan: 'Abonnement',
    status: 'Status',
    billing: 'Prijs',
    next: 'Volgende betaling',
    lastDay: 'Laatste dag',
    since: 'Abonnee sinds',
    paid: 'Betaald abonnement',
    complimentary: 'Cadeauabonnement',
    afterwards: 'Daarna',
  },
  states: {
    free: 'Gratis, geen betaalkaart nodig',
    active: 'Actief',
    cancelled: 'Opgezegd',
    pastDue: (date) => `Betaling open, loopt door tot ${date}`,
    complimentary: 'Cadeau',
    complimentaryUntil: (date) => `Cadeau tot ${date}`,
  },
  free: '$0',
  date: (date) => date,
  freeOfCharge: 'Gratis',
  noMorePayments: (price) => `${price}, geen betalingen meer`,
  nextPayment: (amount, date) => `${amount} op ${date}`,
  creditPays: (credit) => `Je tegoed van ${credit} dekt dat.`,
  creditPaysPart: (credit, rest) => `Je tegoed van ${credit} dekt een deel; zelf betaal je ${rest}.`,
  planUntil: (plan, date) => `${plan} tot ${date}`,
  otherPlan: (plan, price, date) => `${plan}, ${price}, betaald tot ${date}`,
  afterwards: {
    free: 'Free, tenzij je een abonnement kiest',
    paid: (plan) => `${plan}, waarvoor je betaalt`,
  },
  notSold: 'Deze site verkoopt geen abonnementen. Vraag de beheerder om een groter abonnement.',
  demo: 'Demo: zonder echt geld.',
  features: 'In je abonnement',
  feature: {
    photos: (count) => `${count} foto’s per maand`,
    storage: (gigabytes) => `${gigabytes} GB opslagruimte`,
    files: (megabytes) => `Bestanden tot ${megabytes} MB`,
    branding: 'Eigen huisstijl',
    analytics: 'Statistieken',
    support: 'Hulp met voorrang',
    api: 'API-toegang',
  },
  actions: {
    upgrade: 'Upgraden',
    change: 'Abonnement wijzigen',
    cancel: 'Abonnement opzeggen',
    resume: 'Abonnement voortzetten',
    updateCard: 'Kaart wijzigen',
    keep: 'Abonnement houden',
    notNow: 'Nu niet',
  },
  pastDue: {
    sentence: (date, next) =>
      `Je laatste betaling is mislukt. Je abonnement loopt door tot ${date}; daarna wordt het ${next}.`,
    fixCard: 'Wijzig je kaart om het te houden.',
    fixDemo: 'In deze demo zeg je het abonnement op en kies je opnieuw.',
    toSettings: 'Naar Instellingen',
    sign: (date) => `Betaling open: je abonnement loopt tot ${date}`,
  },
  delayed: {
    pending: (plan) =>
      `Je betaling voor ${plan} is onderweg. Met deze betaalwijze kan dat tot twee weken duren. Je abonnement start zodra ze aankomt; je hoeft niet opnieuw te betalen.`,
    failed: (plan) =>
      `Je betaling voor ${plan} is mislukt, en er is niets afgeschreven. Je kunt opnieuw een abonnement kiezen.`,
  },
  cancelDialog: {
    until: (plan, date) => `Je houdt ${plan} tot ${date}. Je betaalt niets meer.`,
    afterwards: (photos, gigabytes) => `Daarna is je abonnement Free: ${photos} foto’s per maand en ${gigabytes} GB.`,
    atOnce: (plan) =>
      `${plan} stopt meteen, omdat de laatste betaling ontbreekt. Die betaling hoef je niet meer te doen.`,
    complimentary: (plan) => `Daarna geldt je cadeauabonnement: ${plan}.`,
    codes: 'Codes die je hebt getoond of afgedrukt, blijven werken.',
    photos: (gigabytes) =>
      `Foto’s boven ${gigabytes} GB bewaren we nog ${billingLimits.keepDays} dagen. We mailen je voordat we er verwijderen.`,
  },
  after: {
    heading: 'Wat er dan gebeurt',
    ends: (plan) => `Je abonnement wordt ${plan}. Codes die je hebt getoond of afgedrukt, blijven werken.`,
    features: 'Nieuwe foto’s krijgen geen logo of watermerk meer, en je ziet geen statistieken meer.',
    api: 'Je API-toegang stopt.',
    fits: (gigabytes) => `Je foto’s passen in de ${gigabytes} GB van het gratis abonnement: ze blijven allemaal staan.`,
    emails: 'We mailen je hoeveel foto’s we zullen verwijderen, met een link om ze allemaal te downloaden.',
    removal: (gigabytes) =>
      `We verwijderen de oudste foto’s tot er ${gigabytes} GB overblijft. Dat kun je ${billingLimits.undoRemovalDays} dagen lang ongedaan maken.`,
    and: (first, second) => `${first} en ${second}`,
  },
  changeDialog: {
    title: (plan) => `Overstappen op ${plan}`,
    limits: (photos, gigabytes) => `Vanaf nu: ${photos} foto’s per maand en ${gigabytes} GB opslagruimte.`,
    withApi: 'API-toegang is inbegrepen.',
    withoutApi: 'Je API-toegang stopt.',
    overStorage: (used) =>
      `Je foto’s nemen nu ${used} in, en dat is meer. Ze blijven voorlopig staan, maar nieuwe wachten tot er plaats is.`,
    larger: (price) => `Je betaalt vandaag ${price}, min wat overblijft van de periode die je al betaald hebt.`,
    smaller: (price) =>
      `Wat overblijft van de periode die je al betaald hebt, dekt de nieuwe prijs van ${price} en daarna de volgende betalingen, zolang je het abonnement houdt.`,
    credit: (credit) => `Je tegoed van ${credit} wordt ook gebruikt.`,
    asking: 'We berekenen wat je vandaag betaalt…',
    charged: (amount) => `Je betaalt vandaag ${amount}.`,
    nothing: 'Je betaalt vandaag niets.',
    left: (credit) =>
      `Van wat je betaald hebt, blijft ${credit} over voor de volgende betalingen, zolang je het abonnement houdt.`,
    continues: 'Je had opgezegd; met deze wijziging loopt je abonnement door.',
    renews: (price) => `Daarna wordt het verlengd voor ${price}.`,
    submit: 'Overstappen',
  },
  changeTo: {
    heading: (percent) => `Betaal per jaar en bespaar ${percent}%`,
    lead: (year, month, twelve) => `${year} per jaar in plaats van 12 × ${month} = ${twelve}.`,
    more: (photos, gigabytes) => `${photos} foto’s per maand, ${gigabytes} GB opslagruimte en API-toegang.`,
    action: 'Per jaar betalen',
  },
  refund: {
    heading: 'Geld terug',
    hint: (date) => `Tot ${date} kun je alles terugkrijgen wat je betaald hebt.`,
    open: 'Geld terugvragen',
    title: 'Geld terug',
    amount: (amount) => `${amount} gaat terug naar de kaart waarmee je betaald hebt.`,
    everything: 'Alles wat je betaald hebt, gaat terug naar dezelfde kaart.',
    ends: (next) => `Je abonnement stopt meteen; daarna heb je ${next}. Dit kan maar één keer en is definitief.`,
    photos: (gigabytes) => `Foto’s boven ${gigabytes} GB bewaren we nog ${billingLimits.keepDays} dagen.`,
    submit: (amount) => `Stoppen en ${amount} terugkrijgen`,
    submitAll: 'Stoppen en geld terugkrijgen',
    ended: 'Je betaalde abonnement is al gestopt. Dit kan maar één keer en is definitief.',
    submitEnded: (amount) => `${amount} terugkrijgen`,
    submitEndedAll: 'Geld terugkrijgen',
  },
  withdraw: {
    heading: 'Herroepingsrecht',
    hint: (date) => `Je kunt deze overeenkomst zonder reden herroepen tot en met ${date}.`,
    open: 'Overeenkomst herroepen',
  },
  portal: {
    heading: 'Kaart en facturen',
    hint: 'Op de pagina van onze betaaldienst',
    open: 'Betaalpagina openen',
  },
  invoices: {
    heading: 'Betalingen',
    none: 'Nog geen betalingen.',
    date: (date) => date,
    refunded: 'Terugbetaald',
    partlyRefunded: (amount) => `${amount} terugbetaald`,
    disputed: 'Betwist',
    open: 'Factuur',
    openOf: (date) => `Factuur van ${date}`,
    more: (count) => `Alle ${count} tonen`,
  },
}

export const usage: typeof english.usage = {
  heading: 'Verbruik deze maand',
  photos: 'Foto’s',
  storage: 'Opslagruimte',
  of: (used, most) => `${used} van ${most}`,
  photosLeft: (percent, left, until) => `${percent}, nog ${left} tot ${until}`,
  storageLeft: (percent, left) => `${percent}, nog ${left}`,
  counting: 'De telling begint elke 1e van de maand (UTC). Verwijderde foto’s tellen mee, mislukte niet.',
  yourPlan: (plan) => `Je abonnement is ${plan}.`,
  planUnknown: 'We weten nu even niet wat er in je abonnement zit. Zodra we het weten, staat het hier.',
  left: (left, most, until) => `Nog ${left} van ${most} foto’s tot ${until}.`,
  monthNear: (used, left, until) => `${used} foto’s van deze maand zijn gebruikt, nog ${left} tot ${until}.`,
  monthFull: (most, until) =>
    `Alle ${most} foto’s van deze maand zijn gebruikt. Nieuwe foto’s wachten in de uploadlijst en worden vanzelf geüpload op ${until}, of na een upgrade.`,
  storageNear: (used, left) => `${used} opslagruimte is gebruikt, nog ${left} over.`,
  storageFull: (size) =>
    `Je opslagruimte van ${size} is vol. Foto’s die er niet meer bij passen, wachten in de uploadlijst en worden vanzelf geüpload zodra je er andere verwijdert, of na een upgrade.`,
  plans: 'Bekijk de abonnementen',
  gallery: 'Galerij openen',
  subscription: 'Je verbruik bekijken',
  hide: 'Verbergen tot 90%',
}
