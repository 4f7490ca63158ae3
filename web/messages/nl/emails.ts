import { billingLimits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/emails.ts'

export const csv: typeof english.csv = {
  words: {
    'API key': 'API-sleutel',
    'Added by': 'Toegevoegd door',
    Attempts: 'Pogingen',
    Consent: 'Toestemming',
    'Created (UTC)': 'Gemaakt (UTC)',
    'Decided (UTC)': 'Beslist (UTC)',
    'Decision of an operator': 'Beslissing van de beheerder',
    Downloads: 'Downloads',
    Evening: 'Avond',
    Event: 'Gebeurtenis',
    'Event ID': 'ID van de gebeurtenis',
    'Event of the photo': 'Evenement van de foto',
    Files: 'Bestanden',
    'Finished (UTC)': 'Afgerond (UTC)',
    'Guests who joined': 'Gasten die meedoen',
    Height: 'Hoogte',
    'Hidden from guests': 'Verborgen voor gasten',
    Hour: 'Uur',
    'Hour (UTC)': 'Uur (UTC)',
    'Last answer': 'Laatste antwoord',
    'Last error': 'Laatste fout',
    'Message of the operator': 'Bericht van de beheerder',
    Name: 'Naam',
    'Per 100 scans': 'Per 100 scans',
    Photo: 'Foto',
    'Photo ID': 'ID van de foto',
    'Photos added': 'Toegevoegde foto’s',
    Reason: 'Reden',
    Replay: 'Herhaling',
    'Requested (UTC)': 'Aangevraagd (UTC)',
    Requester: 'Aanvrager',
    Requests: 'Aanvragen',
    Review: 'Beoordeling',
    Scans: 'Scans',
    'Scans of photos': 'Scans van foto’s',
    'Scans of the event': 'Scans van het evenement',
    'Sent (UTC)': 'Verstuurd (UTC)',
    State: 'Status',
    'Taken (UTC)': 'Genomen (UTC)',
    'Uploaded (UTC)': 'Geüpload (UTC)',
    Views: 'Bezoeken',
    'Webhook ID': 'ID van de webhook',
    Width: 'Breedte',
    approved: 'goedgekeurd',
    cancelled: 'geannuleerd',
    delivered: 'afgeleverd',
    failed: 'mislukt',
    guest: 'gast',
    hide: 'verbergen',
    no: 'nee',
    photo: 'foto',
    photos: 'foto’s',
    queued: 'in de rij',
    ready: 'klaar',
    rejected: 'geweigerd',
    sent: 'verstuurd',
    show: 'tonen',
    waiting: 'wacht',
    yes: 'ja',
    you: 'jij',
  },
}

export const emails: typeof english.emails = {
  operator: (name) => `Verstuurd met ${productName}, beheerd door ${name}.`,
  beforeLink: (link) => `${link}:`,
  copyLink: 'Werkt de knop niet? Kopieer dan deze link in je browser:',
  settings: 'Naar Instellingen',
  pricing: 'Bekijk de abonnementen',
  /** What emails about the security of an account have in common. */
  security: {
    preview: 'Was jij dat? Dan hoef je niets te doen.',
    button: 'Nieuw wachtwoord instellen',
    reason: (host) => `Je krijgt deze e-mail omdat het om de veiligheid van je account op ${host} gaat.`,
  },
  /** After a key or a webhook was created. */
  accessHint:
    'Was jij dat? Dan hoef je niets te doen. Zo niet, stel dan nu een nieuw wachtwoord in. Als je ermee inlogt, kun je de API-sleutels en webhooks verwijderen die niet van jou zijn.',
  photo: {
    subject: (brandName) => (brandName === null ? 'De foto die je aanvroeg' : `Je foto van ${brandName}`),
    sender: (brandName) => `${brandName ?? 'Een fotograaf'} via ${productName}`,
    heading: 'Hier is je foto',
    pictureAlt: 'Je foto',
    lead: 'Open je foto en bewaar hem op je telefoon.',
    attached: 'Hij zit ook als bijlage bij deze e-mail.',
    button: 'Open je foto',
    expiry: (when) => `De link werkt tot ${when}.`,
    file: (name) => `Bestand: ${name}`,
    reason: (host) =>
      `Je krijgt deze e-mail omdat je adres is ingevuld op een fotopagina van ${host}. ` +
      `We gebruiken het om deze foto te sturen, en voor niets anders.`,
    unsubscribe: {
      // Two sentences, because the second is a link.
      ignore:
        'Was jij dat niet? Dan hoef je niets te doen. We sturen geen foto’s meer, tenzij je adres opnieuw wordt ingevuld.',
      link: 'Of meld dit adres af voor foto’s',
    },
  },
  webhookDisabled: {
    subject: (host) => `Je webhook naar ${host} is uitgezet`,
    preview: 'Er is een dag lang niets geaccepteerd.',
    heading: 'Een webhook is uitgezet',
    lead: (host, since) =>
      `Sinds ${since} heeft ${host} geen enkel bericht van ons geaccepteerd, en we hebben het een dag lang geprobeerd.`,
    hint: 'We sturen er nu niets meer naartoe. In Instellingen zie je wat er misging, zet je de webhook weer aan en verstuur je opnieuw wat niet is aangekomen.',
    reason: (host) => `Je krijgt deze e-mail omdat deze webhook bij je account op ${host} hoort.`,
  },
  guestPhotos: {
    waiting: {
      subject: (count, event) => `${count} foto’s van gasten wachten op jou: ${event}`,
      preview: 'Gasten zien ze zodra jij ze goedkeurt.',
      heading: 'Foto’s van gasten wachten op jou',
      lead: (count, event) => `Gasten van ${event} hebben ${count} foto’s toegevoegd die nog niemand heeft bekeken.`,
      hint: 'Anderen zien ze zodra jij ze goedkeurt. Tot dan zien alleen jij en wie ze toevoegde ze.',
    },
    full: {
      subject: (event) => `Gasten kunnen geen foto’s meer toevoegen: ${event}`,
      preview: 'Je eigen uploads gaan gewoon door.',
      heading: 'Gasten kunnen geen foto’s meer toevoegen',
      lead: (event) =>
        `De foto’s die gasten aan ${event} mogen toevoegen, zijn op: die van het evenement, die van je abonnement deze maand, of het deel van je opslag dat gasten mogen vullen.`,
      hint: 'Je eigen uploads gaan gewoon door. Je kunt meer foto’s toestaan voor het evenement, er een paar afwijzen of een groter abonnement kiezen.',
    },
    button: 'Foto’s bekijken',
    reason: (host) =>
      `Je krijgt deze e-mail omdat gasten foto’s toevoegen aan een evenement van je account op ${host}.`,
    unsubscribe: {
      ignore: 'We sturen elk van deze e-mails hoogstens één keer per dag per event.',
      link: 'Zet deze e-mails uit op de pagina van het evenement',
    },
  },
  requestRemoval: {
    subject: (count) => `${count} e-mailadressen van gasten worden binnenkort verwijderd`,
    preview: (day) => `De eerste op ${day}. Tot dan kun je ze exporteren.`,
    heading: 'Adressen van gasten worden binnenkort verwijderd',
    lead: (count, day, days) =>
      `Aanvragen voor je foto’s bewaren we ${days.kept} dagen. In de komende ${days.soon} dagen worden ${count} e-mailadressen verwijderd, de eerste op ${day}.`,
    hint: 'Heb je ze nodig? Exporteer ze dan eerst: op de pagina Fotoaanvragen staat de knop CSV exporteren.',
    button: 'Naar Fotoaanvragen',
    reason: (host) => `Je krijgt deze e-mail omdat gasten foto’s van je account op ${host} hebben aangevraagd.`,
    unsubscribe: {
      ignore: 'We sturen hem hooguit één keer per maand.',
      link: 'Deze e-mails uitzetten in Instellingen',
    },
  },
  reset: {
    subject: 'Stel een nieuw wachtwoord in',
    preview: 'De link werkt één keer en blijft 30 minuten geldig.',
    lead: 'Iemand (hopelijk jij) heeft een nieuw wachtwoord voor je account aangevraagd.',
    button: 'Nieuw wachtwoord instellen',
    expiry: (when) => `De link werkt één keer, tot ${when}. Vraag je een nieuwe aan, dan werkt alleen de laatste.`,
    reason: (host) =>
      `Je krijgt deze e-mail omdat op ${host} een nieuw wachtwoord voor dit adres is aangevraagd. ` +
      `Was jij dat niet? Dan hoef je niets te doen: je wachtwoord blijft hetzelfde.`,
  },
  verify: {
    subject: 'Bevestig je e-mailadres',
    preview: 'Met één klik is je adres bevestigd.',
    heading: 'Is dit je adres?',
    lead: 'Bevestig het, dan kunnen we je gasten mailen en je helpen als je niet meer in je account kunt.',
    button: 'Mijn adres bevestigen',
    expiry: (when) => `De link werkt één keer, tot ${when}.`,
    reason: (host) =>
      `Je krijgt deze e-mail omdat op ${host} een account met dit adres is gemaakt. ` +
      `Was jij dat niet? Dan hoef je niets te doen.`,
  },
  change: {
    subject: 'Bevestig je nieuwe e-mailadres',
    heading: 'Is dit je nieuwe adres?',
    lead: 'Bevestig het om dit adres voor je account te gebruiken. Tot dan verandert er niets.',
    button: 'Dit adres gebruiken',
    reason: (host) =>
      `Je krijgt deze e-mail omdat iemand die op ${host} is ingelogd, dit adres wil gebruiken. ` +
      `Was jij dat niet? Dan hoef je niets te doen.`,
  },
  archive: {
    subject: 'Je gegevens staan klaar',
    preview: 'Alles uit je account, in één bestand.',
    lead: 'Alles uit je account zit in één bestand: je foto’s, de aanvragen van je gasten, je instellingen en waar je akkoord mee ging. Houd de link voor jezelf: wie hem heeft, kan het bestand openen.',
    button: 'Mijn gegevens downloaden',
    expiry: (when) => `De link werkt tot ${when}, zo vaak als je wilt.`,
    reason: (host) => `Je krijgt deze e-mail omdat je op ${host} je gegevens hebt opgevraagd.`,
  },
  report: {
    subject: 'Een gast heeft een foto van je gemeld',
    subjectMany: (photos) => `Gasten hebben ${photos} foto’s van je gemeld`,
    preview: 'Jij beslist wat gasten nog kunnen openen.',
    heading: 'Een gast heeft een foto gemeld',
    headingMany: (photos) => `Gasten hebben ${photos} foto’s gemeld`,
    lead: (filename, reasons) => `Dit meldt een gast over ${filename}: ${reasons}.`,
    leadMany: 'Elke foto wacht op je beslissing.',
    hint: 'Tot je beslist, kunnen gasten de foto nog openen met de code. Je verbergt hem met één klik, en je toont hem even makkelijk weer.',
    hintMany:
      'Tot je beslist, kunnen gasten de foto’s nog openen met hun codes. Je verbergt elke foto met één klik, en je toont hem even makkelijk weer.',
    button: 'Meldingen bekijken',
    reason: (host) =>
      `Je krijgt deze e-mail omdat gasten foto’s van je account op ${host} kunnen melden. ` +
      `De link opent alleen de pagina: er verandert niets tot je daar op een knop klikt.`,
    reasons: {
      me: 'de gast staat erop en wil dat niet',
      child: 'er staat een kind op',
      hurtful: 'de foto is kwetsend',
      illegal: 'de foto is misschien illegaal',
      other: 'een andere reden',
    },
    and: '; ',
  },
  passwordChanged: {
    subject: 'Je wachtwoord is gewijzigd',
    lead: (when) =>
      `Het wachtwoord van je account is gewijzigd op ${when}. Alle toestellen die waren ingelogd, zijn nu uitgelogd.`,
    hint: 'Was jij dat? Dan hoef je niets te doen. Zo niet, stel dan nu een nieuw wachtwoord in:',
  },
  newSignIn: {
    subject: 'Nieuwe login op je account',
    lead: (when, device) =>
      `Op ${when} is met een nieuwe browser ingelogd op je account${device}. Die was daar nog niet eerder voor gebruikt, of de cookies ervan waren verwijderd. Was jij dat? Dan hoef je niets te doen.`,
    signOut: (url) => `Was jij het niet? Kies dan “Overal uitloggen” in Instellingen: ${url}`,
    hint: 'Stel daarna een nieuw wachtwoord in, want iemand kent het huidige:',
  },
  apiKeyCreated: {
    subject: 'Een nieuwe API-sleutel voor je account',
    heading: 'Er is een API-sleutel gemaakt',
    lead: (when, name) =>
      `Op ${when} is de API-sleutel “${name}” gemaakt. Wie hem heeft, kan je account en foto’s lezen en nieuwe foto’s uploaden.`,
  },
  webhookCreated: {
    subject: 'Een nieuwe webhook voor je account',
    heading: 'Er is een webhook ingesteld',
    lead: (when, name) => `Op ${when} is een webhook ingesteld die meldingen over je account naar ${name} stuurt.`,
  },
  emailChanged: {
    subject: 'Het e-mailadres van je account is gewijzigd',
    heading: 'Je e-mailadres is gewijzigd',
    lead: (when, address) =>
      `Op ${when} is het e-mailadres van je account gewijzigd${address && ` in ${address}`}. ` +
      `Met dit adres kun je niet meer inloggen.`,
    hint: (address) => `Was jij dat? Dan hoef je niets te doen. Zo niet, schrijf dan zo snel mogelijk naar ${address}.`,
    reason: (host) =>
      `Je krijgt deze e-mail omdat dit het adres van een account op ${host} was. ` +
      `Je krijgt er geen e-mails meer over.`,
  },
  test: {
    subject: 'Je e-mails komen aan',
    preview: 'Dit is de testmail die je hebt aangevraagd.',
    lead: (when) =>
      `Dit is de testmail die je hebt aangevraagd op ${when}. E-mails aan je gasten worden op dezelfde manier verstuurd.`,
    reason: (host) => `Je krijgt deze e-mail omdat je hem zelf hebt verstuurd vanuit je instellingen op ${host}.`,
  },
  accountDeleted: {
    subject: 'Je account is verwijderd',
    preview: 'Je foto’s, codes en aanvragen zijn ook verwijderd.',
    lead: (when) =>
      `Op ${when} vroeg je ons om je account te verwijderen. Dat is gebeurd, met alle foto’s, codes en aanvragen. Gedrukte codes werken niet meer.`,
    hint: 'Dit kan niet ongedaan worden gemaakt. De laatste kopieën zijn binnen 24 uur weg.',
    reason: (host) =>
      `Je krijgt deze e-mail omdat dit het adres van een account op ${host} was. ` +
      `Je krijgt er geen e-mails meer over.`,
  },
  plan: {
    reason: (host) => `Je krijgt deze e-mail omdat het gaat om wat je betaalt voor je account op ${host}.`,
    demo: 'Betalen is hier maar een demonstratie: er wordt geen echt geld afgeschreven.',
    perMonth: (price) => `${price} per maand`,
    perYear: (price) => `${price} per jaar`,
    started: {
      subject: (plan) => `Welkom bij ${plan}`,
      preview: 'Je nieuwe limieten gelden nu.',
      lead: (plan, price, date) => `Bedankt. Je hebt ${plan} voor ${price}. De volgende betaling is op ${date}.`,
      hint: 'Je nieuwe limieten gelden nu. In Instellingen kun je je abonnement wijzigen of opzeggen, en tot 30 dagen na je eerste betaling je geld terugvragen.',
      coveredPreview: 'Je betaling is binnen.',
      covered: (plan, better) =>
        `Je cadeauabonnement ${better} biedt meer en loopt door; daarna geldt ${plan}. In Instellingen kun je ${plan} wijzigen of opzeggen, en tot 30 dagen na je eerste betaling je geld terugvragen.`,
      withdraw: (place) =>
        `Je kunt deze overeenkomst binnen ${billingLimits.withdrawalDays} dagen zonder reden herroepen en krijgt dan terug wat je ervoor betaalde. “Hier de overeenkomst herroepen” staat onderaan elke pagina: ${place}`,
    },
    firstPaymentFailed: {
      subject: 'Je betaling is mislukt',
      preview: 'Er is niets afgeschreven.',
      lead: (plan, price) =>
        `Je betaling van ${price} voor ${plan} is niet aangekomen. Er is niets afgeschreven en er is geen abonnement gestart.`,
      hint: 'Je kunt altijd opnieuw een abonnement kiezen, ook met een andere betaalwijze.',
    },
    paymentFailed: {
      subject: 'Je betaling is mislukt',
      preview: 'Zo houd je je abonnement.',
      lead: (plan, price) => `We konden ${price} voor ${plan} niet innen.`,
      until: (date) => `Je abonnement loopt door tot ${date}.`,
      hint: 'Wil je het houden? Wijzig dan je kaart in Instellingen; daarna proberen we de betaling opnieuw.',
      demoHint: 'Wil je het houden? Zeg het abonnement op in Instellingen en kies het dan opnieuw.',
    },
    changed: {
      subject: (plan) => `Je hebt nu ${plan}`,
      lead: (plan, price, date) => `Je abonnement is nu ${plan}, voor ${price}. De volgende betaling is op ${date}.`,
      hint: 'Wat overbleef van de periode die je al betaald had, gaat van de prijs af. Je nieuwe limieten gelden nu.',
      covered: (better) =>
        `Wat overbleef van de periode die je al betaald had, gaat van de prijs af. Je cadeauabonnement ${better} biedt meer en loopt door.`,
    },
    cancelled: {
      subject: 'Je abonnement is opgezegd',
      preview: 'Je betaalt niets meer.',
      lead: (plan, date) => `Je houdt ${plan} tot ${date}. Je betaalt niets meer.`,
      hint: 'Van gedachten veranderd? Tot dan kun je het voortzetten in Instellingen.',
    },
    resumed: {
      subject: 'Je abonnement loopt door',
      preview: 'Je houdt je abonnement.',
      lead: (plan, price, date) => `Je houdt ${plan} voor ${price}. De volgende betaling is op ${date}.`,
    },
    ended: {
      subject: (plan) => `${plan} is afgelopen`,
      preview: 'Je account gaat verder met de limieten van het gratis abonnement.',
      lead: 'Je betaalt niets meer. Je account gaat verder met de limieten van het gratis abonnement, of van een cadeauabonnement als je dat hebt.',
      hint: 'Je codes blijven werken. Nemen je foto’s meer opslagruimte in dan je nu hebt, dan mailen we je voordat we er verwijderen. Je kunt altijd opnieuw een abonnement kiezen.',
    },
    refunded: {
      subject: 'Je terugbetaling',
      preview: (amount) => `We hebben ${amount} terugbetaald.`,
      lead: (amount) => `We hebben ${amount} terugbetaald. Binnen tien dagen staat het op je kaart.`,
      hint: 'Het abonnement waarvoor je betaald had, is gestopt. Er wordt niets meer voor afgeschreven.',
    },
  },
}

export const operatorEmails: typeof english.operatorEmails = {
  hidden: {
    subject: 'Een foto van je is verborgen voor gasten',
    preview: 'Waarom, en wat je kunt doen.',
    heading: 'Een van je foto’s is verborgen',
    lead: (filename, host, when) =>
      `De beheerder van ${host} heeft ${filename} op ${when} verborgen voor gasten. De codes, pagina’s en links in e-mails openen de foto niet meer.`,
    why: 'Een gast had de foto gemeld, en daarna is hij beoordeeld.',
    hint: 'In je galerij zie je de plaats en de reden, en kun je de foto verwijderen. Zolang hij verborgen is, kan niemand de foto zelf openen, jij ook niet. Denk je dat dit een vergissing is? Neem dan contact op.',
    button: 'Contact opnemen',
  },
  shown: {
    subject: 'Je foto mag weer getoond worden',
    preview: 'Je vindt hem in je galerij.',
    lead: (filename, host, when) =>
      `Sinds ${when} verbergt de beheerder van ${host} ${filename} niet meer. De codes, pagina’s en links in e-mails werken weer.`,
    leadStillHidden: (filename, host, when) => `Sinds ${when} verbergt de beheerder van ${host} ${filename} niet meer.`,
    stillHidden:
      'Gasten kunnen hem nog niet openen, omdat je hem zelf verborgen had. In je galerij kun je hem weer tonen.',
    button: 'Foto openen',
  },
  message: 'Bericht van de beheerder',
  reason: (host) => `Je krijgt deze e-mail omdat het over een foto van je account op ${host} gaat.`,
  disputed: {
    subject: (amount) => `Een betaling van ${amount} wordt betwist`,
    preview: 'Waar het om gaat, en wat je kunt doen.',
    heading: 'Een betaling wordt betwist',
    lead: (account, amount, when) =>
      `De houder van de kaart of rekening waarmee ${amount} voor ${account} betaald is, heeft die betaling op ${when} bij de bank betwist. De bank neemt het geld terug tot daarover beslist is.`,
    why: (reason) => `De reden die de betaaldienst opgeeft: ${reason}.`,
    respond: (when) => `Tot ${when} kun je bewijs indienen op de pagina van de betaaldienst.`,
    ends: 'Het abonnement loopt voorlopig door. Als de betwisting slaagt, wordt het abonnement opgezegd zonder terugbetaling en stopt het.',
    button: 'Account openen',
    reason: (host) => `Je krijgt deze e-mail omdat je ${host} beheert.`,
  },
}

export const storageEmails: typeof english.storageEmails = {
  usage: {
    photosNearlyUsed: (used, limit) => `Je hebt deze maand ${used} van je ${limit} foto’s gebruikt`,
    photosUsed: (limit) => `Je hebt alle ${limit} foto’s van deze maand gebruikt`,
    storageNearlyFull: (used, limit) => `Je hebt ${used} van je ${limit} opslagruimte gebruikt`,
    storageFull: (limit) => `Je opslagruimte van ${limit} is vol`,
    preview: (planName) => `Wat er in je abonnement ${planName} zit en hoe je meer krijgt.`,
    photosLead: (planName, limit) => `In je abonnement ${planName} zitten ${limit} foto’s per maand.`,
    photosUntil: (when) => `Op ${when} begint de telling opnieuw.`,
    photosWait:
      'Tot dan blijven nieuwe foto’s in je uploadlijst staan. Zodra er plaats is, worden ze vanzelf geüpload.',
    storageLead: (planName, limit, used) =>
      `In je abonnement ${planName} zit ${limit} opslagruimte. Je foto’s nemen ${used} in.`,
    storageWaits:
      'Nieuwe foto’s die er niet meer bij passen, blijven in je uploadlijst staan. Zodra er plaats is, worden ze vanzelf geüpload.',
    morePhotos: 'Heb je eerder meer foto’s nodig? Kies dan een groter abonnement.',
    moreStorage: 'Verwijder foto’s die je niet meer nodig hebt, of kies een groter abonnement.',
    morePhotosThanAnyPlan: (address) => `Heb je eerder meer foto’s nodig? Schrijf dan naar ${address}.`,
    moreStorageThanAnyPlan: (address) =>
      `Verwijder foto’s die je niet meer nodig hebt. Heb je meer opslagruimte nodig? Schrijf dan naar ${address}.`,
    gallery: 'Galerij openen',
    reason: (host) => `Je krijgt deze e-mail omdat je account op ${host} aan een limiet van het abonnement zit.`,
  },
  removal: {
    subject: (photos, count, when) =>
      photos === 1 ? `Op ${when} wordt 1 foto verwijderd` : `Op ${when} worden ${count} foto’s verwijderd`,
    preview: 'Download alles, kies een groter abonnement of verwijder foto’s die je niet meer nodig hebt.',
    heading: (photos, count) =>
      photos === 1 ? 'Eén van je foto’s wordt verwijderd' : `${count} van je foto’s worden verwijderd`,
    lead: (planName, limit, used) =>
      `Je grotere abonnement is afgelopen. Je abonnement is nu ${planName}, met ${limit} opslagruimte, en je foto’s nemen ${used} in.`,
    removed: ({ photos, count, size, when }) =>
      photos === 1
        ? `Op ${when} verwijderen we de oudste foto (${size}), zodat de andere passen. De codes en links van die foto werken dan niet meer.`
        : `Op ${when} verwijderen we de ${count} oudste foto’s (${size}), zodat de andere passen. Hun codes en links werken dan niet meer.`,
    keep: (pricingUrl) =>
      `Wil je ze allemaal houden? Kies dan een groter abonnement op ${pricingUrl}, of verwijder vóór die dag andere foto’s.`,
    archive:
      'Een kopie van alles uit je account staat klaar. Houd de link voor jezelf: wie hem heeft, kan het bestand openen.',
    noArchive: 'In Instellingen kun je een kopie aanvragen van alles uit je account.',
    download: 'Alles downloaden',
    expiry: (when) => `De link werkt tot ${when}.`,
    reason: (host) => `Je krijgt deze e-mail omdat foto’s van je account op ${host} worden verwijderd.`,
  },
  removed: {
    subject: (photos, count) => (photos === 1 ? '1 foto is verwijderd' : `${count} foto’s zijn verwijderd`),
    preview: (when) => `Je kunt ze terugzetten tot ${when}.`,
    heading: (photos, count) =>
      photos === 1 ? 'Eén van je foto’s is verwijderd' : `${count} van je foto’s zijn verwijderd`,
    lead: (planName, limit, size) =>
      `In je abonnement ${planName} zit ${limit} opslagruimte. De oudste foto’s (${size}) zijn verwijderd, zodat de andere passen.`,
    restore: (when) =>
      `Tot ${when} kun je ze terugzetten: kies een groter abonnement en ze komen vanzelf terug, of maak plaats en zet ze terug in Instellingen. Daarna zijn ze definitief weg.`,
    reason: (host) => `Je krijgt deze e-mail omdat foto’s van je account op ${host} zijn verwijderd.`,
  },
}
