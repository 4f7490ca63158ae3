import { billingLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/plans.ts'

export const checkout: typeof english.checkout = {
  success: {
    title: 'Willkommen bei Pro!',
    lead: 'Dein Tarif läuft, und deine neuen Limits gelten ab sofort.',
    coveredTitle: 'Danke, deine Zahlung ist angekommen',
    coveredLead: (plan: string, better: string) =>
      `Dein geschenkter Tarif ${better} bietet mehr und läuft weiter. Danach gilt ${plan}.`,
    plan: 'Tarif',
    price: 'Preis',
    next: 'Nächste Zahlung',
    date: (date: string) => date,
    upload: 'Fotos hochladen',
    settings: 'Zu den Einstellungen',
    withdraw: `Du kannst diesen Vertrag innerhalb von ${billingLimits.withdrawalDays} Tagen ohne Grund widerrufen:`,
    withdrawLink: 'Vertrag hier widerrufen',
    refund: (date: string) =>
      `Doch nicht das Richtige? Bis zum ${date} bekommst du in den Einstellungen dein Geld zurück.`,
    line: 'Bereit für dein Logo',
    demo: 'Demo: Es fließt kein Geld.',
  },
  verifying: {
    title: 'Deine Zahlung wird geprüft',
    lead: 'Das dauert ein paar Sekunden. Danach geht es von selbst weiter.',
  },
  problems: {
    late: {
      title: 'Deine Zahlung ist noch nicht bestätigt',
      lead: 'Du musst nicht noch einmal bezahlen. Wenn die Zahlung geklappt hat, beginnt dein Tarif innerhalb einer Stunde von selbst.',
    },
    pending: {
      title: 'Deine Zahlung ist unterwegs',
      lead: 'Mit dieser Zahlungsart kann das bis zu zwei Wochen dauern. Dein Tarif beginnt, sobald sie ankommt; du musst nicht noch einmal bezahlen.',
    },
    refused: {
      title: 'Dein Tarif hat nicht begonnen',
      lead: 'Diese Bestellung ist nicht bezahlt. Wenn du gerade erst bezahlt hast, sieh gleich noch einmal nach.',
    },
    unknown: {
      title: 'Diese Bestellung kennen wir nicht',
      lead: 'Vielleicht gehört sie zu einem anderen Konto, oder der Link ist unvollständig. Den Tarif dieses Kontos siehst du in den Einstellungen.',
    },
    missing: {
      title: 'Hier gibt es nichts zu bestätigen',
      lead: 'Der Link zu dieser Seite ist unvollständig. Deinen Tarif siehst du in den Einstellungen.',
    },
    reference: 'Referenz',
    checkAgain: 'Erneut prüfen',
    settings: 'Zu den Einstellungen',
    plans: 'Tarife ansehen',
  },
  cancelled: {
    title: 'Kauf abgebrochen',
    lead: 'Du bist vor dem Bezahlen gegangen. Es wurde nichts abgebucht.',
    planStays: (plan: string) => `Dein Tarif ist weiterhin ${plan}.`,
    plans: 'Tarife ansehen',
    home: 'Zur Startseite',
    upload: 'Fotos hochladen',
    stays: 'Deine Fotos bleiben, wie sie sind',
    left: (left: string) => `Noch ${left === '1' ? '1 Foto' : `${left} Fotos`} in diesem Monat`,
  },
}

export const demoCheckout: typeof english.demoCheckout = {
  title: 'Demo-Bezahlung',
  description: 'Einen Tarif zur Probe bezahlen: Es fließt kein Geld.',
  mark: 'Demo: Es fließt kein Geld',
  markLead: 'Diese Seite steht anstelle der Bezahlseite. Hier wird keine echte Karte verlangt und nichts abgebucht.',
  back: (product: string) => `Zurück zu ${product}`,
  order: 'Deine Bestellung',
  subscription: (product: string) => `${product}-Abo`,
  line: { month: (plan: string) => `${plan}, ein Monat`, year: (plan: string) => `${plan}, ein Jahr` },
  setupFee: 'Einrichtungsgebühr',
  total: 'Heute zu zahlen',
  renews: {
    month: 'Verlängert sich jeden Monat, bis du kündigst.',
    year: 'Verlängert sich jedes Jahr, bis du kündigst.',
  },
  moneyBack: (days: number) => `${days} Tage Geld-zurück-Garantie.`,
  agree: ['Mit der Zahlung stimmst du den ', ' zu.'],
  choose: 'Wähle, wie es ausgeht',
  lead: 'Zwei Beispielkarten, damit du beide Fälle ausprobieren kannst.',
  card: 'Beispielkarte',
  cards: {
    succeed: {
      name: 'Karte, die funktioniert',
      number: '4242 4242 4242 4242',
      effect: 'Die Zahlung klappt, und dein Tarif beginnt.',
    },
    decline: {
      name: 'Karte, die abgelehnt wird',
      number: '4000 0000 0000 0002',
      effect: 'Du bleibst auf dieser Seite und siehst die Ablehnung.',
    },
  },
  declined: {
    heading: 'Die Karte wurde abgelehnt.',
    advice: 'Es wurde nichts abgebucht, und dein Tarif ist unverändert. Nimm die andere Karte oder geh zurück.',
  },
  pay: (price: string) => `${price} bezahlen (Demo)`,
  cancel: 'Abbrechen und zurück',
  ended: {
    paid: {
      heading: 'Das ist schon bezahlt',
      lead: 'Nichts wird doppelt abgebucht. Deinen Tarif siehst du in den Einstellungen.',
    },
    expired: {
      heading: 'Diese Bestellung ist abgelaufen',
      lead: 'Es wurde nichts abgebucht. Wähle einen Tarif, um neu zu beginnen.',
    },
    unknown: {
      heading: 'Diese Bestellung gibt es nicht',
      lead: 'Es wurde nichts abgebucht. Wähle einen Tarif, um neu zu beginnen.',
    },
  },
  toPlans: 'Tarife ansehen',
  toSettings: 'Zu den Einstellungen',
}

export const keptPhotos: typeof english.keptPhotos = {
  removal: (photos: number, count: string, date: string) =>
    photos === 1 ? `1 Foto wird am ${date} entfernt.` : `${count} Fotos werden am ${date} entfernt.`,
  reason: (photos: number, size: string, storage: string) =>
    photos === 1
      ? `Dein ältestes Foto (${size}) passt nicht mehr in deine ${storage} Speicher. Um es zu behalten, wähle einen größeren Tarif oder lösche andere Fotos. Weiter unten, bei „Deine Daten“, kannst du auch alles herunterladen.`
      : `Die ältesten (${size}) passen nicht mehr in deine ${storage} Speicher. Um sie zu behalten, wähle einen größeren Tarif oder lösche andere Fotos. Weiter unten, bei „Deine Daten“, kannst du auch alles herunterladen.`,
  removed: (photos: number, count: string) =>
    photos === 1 ? '1 Foto wurde entfernt.' : `${count} Fotos wurden entfernt.`,
  restorable: (photos: number, size: string, date: string) =>
    photos === 1
      ? `Es (${size}) passte nicht mehr in deinen Speicher. Bis zum ${date} kannst du es zurückholen: von selbst mit einem größeren Tarif, oder hier, sobald Platz ist.`
      : `Sie (${size}) passten nicht mehr in deinen Speicher. Bis zum ${date} kannst du sie zurückholen: von selbst mit einem größeren Tarif, oder hier, sobald Platz ist.`,
  gallery: 'Galerie öffnen',
  settings: 'Was du tun kannst',
  restore: (photos: number) => (photos === 1 ? 'Foto zurückholen' : 'Fotos zurückholen'),
  restored: (photos: number, count: string) =>
    photos === 1 ? '1 Foto ist wieder da.' : `${count} Fotos sind wieder da.`,
  remaining: (photos: number, count: string) =>
    photos === 1 ? '1 Foto passt noch nicht.' : `${count} Fotos passen noch nicht.`,
  failed: (photos: number) =>
    photos === 1
      ? 'Das Foto konnte nicht zurückgeholt werden. Bitte versuch es noch einmal.'
      : 'Die Fotos konnten nicht zurückgeholt werden. Bitte versuch es noch einmal.',
}

export const subscription: typeof english.subscription = {
  errors: {
    noToken: 'Du bist nicht angemeldet',
    expired: 'Deine Sitzung ist abgelaufen. Bitte melde dich wieder an.',
    status: 'Dein Abo-Status konnte nicht geladen werden',
    cancel: 'Das Abo konnte nicht gekündigt werden. Bitte versuch es noch einmal.',
    resume: 'Das Abo konnte nicht fortgesetzt werden. Bitte versuch es noch einmal.',
    change: 'Der Tarif konnte nicht gewechselt werden. Bitte versuch es noch einmal.',
    refund: 'Die Erstattung hat nicht geklappt. Bitte versuch es noch einmal.',
    portal: 'Die Seite mit deiner Abrechnung konnte nicht geöffnet werden. Bitte versuch es noch einmal.',
    invoices: 'Deine Zahlungen konnten nicht geladen werden.',
  },
  done: {
    cancelled: 'Dein Abo ist gekündigt. Bis zum Ende des bezahlten Zeitraums behältst du deinen Tarif.',
    ended: 'Dein Abo ist gekündigt und beendet, weil die letzte Zahlung gefehlt hat.',
    resumed: 'Dein Abo läuft weiter.',
    changed: (plan: string) => `Dein Tarif ist jetzt ${plan}.`,
    refunded: (amount: string) => `Wir haben dir ${amount} erstattet. Dein Abo ist beendet.`,
    refundedAfterEnd: (amount: string) => `Wir haben dir ${amount} erstattet.`,
    nothingToRefund: 'Dein Abo ist beendet. Hier gab es nichts zu erstatten, weil die Zahlung bei deiner Bank liegt.',
  },
  badges: {
    none: 'Kein Abo',
    active: 'Aktiv',
    complimentary: 'Geschenkt',
    ends: (date: string) => `Endet am ${date}`,
    pastDue: 'Zahlung fehlt',
  },
  facts: {
    plan: 'Tarif',
    status: 'Status',
    billing: 'Abrechnung',
    next: 'Nächste Zahlung',
    lastDay: 'Letzter Tag',
    since: 'Abo seit',
    paid: 'Bezahlter Tarif',
    complimentary: 'Geschenkter Tarif',
    afterwards: 'Danach',
  },
  states: {
    free: 'Kostenlos, ohne Kreditkarte',
    active: 'Aktiv',
    cancelled: 'Gekündigt',
    pastDue: (date: string) => `Zahlung fehlt, läuft noch bis zum ${date}`,
    complimentary: 'Geschenkt',
    complimentaryUntil: (date: string) => `Geschenkt bis zum ${date}`,
  },
  free: '$0',
  date: (date: string) => date,
  freeOfCharge: 'Kostenlos',
  noMorePayments: (price: string) => `${price}, keine weiteren Zahlungen`,
  nextPayment: (amount: string, date: string) => `${amount} am ${date}`,
  creditPays: (credit: string) => `Dein Guthaben von ${credit} deckt sie ab.`,
  creditPaysPart: (credit: string, rest: string) =>
    `Dein Guthaben von ${credit} deckt einen Teil davon ab; du zahlst ${rest}.`,
  planUntil: (plan: string, date: string) => `${plan} bis zum ${date}`,
  otherPlan: (plan: string, price: string, date: string) => `${plan}, ${price}, bezahlt bis zum ${date}`,
  afterwards: {
    free: 'Free, außer du wählst einen Tarif',
    paid: (plan: string) => `${plan}, den du bezahlst`,
  },
  notSold: 'Auf dieser Website werden keine Tarife verkauft. Wenn du einen größeren brauchst, frag den Betreiber.',
  demo: 'Demo: Es fließt kein Geld.',
  features: 'In deinem Tarif',
  feature: {
    photos: (count: string) => `${count} Fotos im Monat`,
    storage: (gigabytes: string) => `${gigabytes} GB Speicher`,
    files: (megabytes: string) => `Dateien bis ${megabytes} MB`,
    branding: 'Eigenes Branding',
    analytics: 'Statistik',
    support: 'Bevorzugter Support',
    api: 'API-Zugang',
  },
  actions: {
    upgrade: 'Größerer Tarif',
    change: 'Tarif wechseln',
    cancel: 'Abo kündigen',
    resume: 'Abo fortsetzen',
    updateCard: 'Karte ändern',
    keep: 'Tarif behalten',
    notNow: 'Nicht jetzt',
  },
  pastDue: {
    sentence: (date: string, next: string) =>
      `Deine letzte Zahlung hat nicht geklappt. Dein Tarif läuft noch bis zum ${date}; danach hast du ${next}.`,
    fixCard: 'Aktualisiere deine Karte, um ihn zu behalten.',
    fixDemo: 'In dieser Demo: Kündige das Abo und wähle wieder einen Tarif.',
    toSettings: 'Zu den Einstellungen',
    sign: (date: string) => `Zahlung fehlt: Dein Tarif endet am ${date}`,
  },
  delayed: {
    pending: (plan: string) =>
      `Deine Zahlung für ${plan} ist unterwegs. Mit dieser Zahlungsart kann das bis zu zwei Wochen dauern. Dein Tarif beginnt, sobald sie ankommt; du musst nicht noch einmal bezahlen.`,
    failed: (plan: string) =>
      `Deine Zahlung für ${plan} hat nicht geklappt, und es wurde nichts abgebucht. Du kannst wieder einen Tarif wählen.`,
  },
  cancelDialog: {
    until: (plan: string, date: string) => `Du behältst ${plan} bis zum ${date}. Es wird nichts mehr abgebucht.`,
    afterwards: (photos: string, gigabytes: string) =>
      `Danach hast du den Tarif Free: ${photos} Fotos im Monat und ${gigabytes} GB.`,
    atOnce: (plan: string) =>
      `${plan} endet sofort, weil die letzte Zahlung fehlt. Diese Zahlung musst du nicht mehr leisten.`,
    complimentary: (plan: string) => `Danach gilt dein geschenkter Tarif: ${plan}.`,
    codes: 'Codes, die du gezeigt oder gedruckt hast, funktionieren weiter.',
    photos: (gigabytes: string) =>
      `Fotos über ${gigabytes} GB bleiben noch ${billingLimits.keepDays} Tage erhalten. Bevor welche entfernt werden, schreiben wir dir.`,
  },
  after: {
    heading: 'Was dann passiert',
    ends: (plan: string) => `Du hast dann ${plan}. Codes, die du gezeigt oder gedruckt hast, funktionieren weiter.`,
    features: 'Neue Fotos bekommen weder Logo noch Wasserzeichen, und deine Statistik wird nicht mehr angezeigt.',
    api: 'Der API-Zugang endet.',
    fits: (gigabytes: string) => `Deine Fotos passen in die ${gigabytes} GB des kostenlosen Tarifs: Alle bleiben.`,
    emails:
      'Wir schreiben dir, wie viele Fotos entfernt werden, und schicken dir einen Link, mit dem du alle herunterladen kannst.',
    removal: (gigabytes: string) =>
      `Die ältesten Fotos werden entfernt, bis noch ${gigabytes} GB übrig sind. Du kannst das ${billingLimits.undoRemovalDays} Tage lang rückgängig machen.`,
    and: (first: string, second: string) => `${first} und ${second}`,
  },
  changeDialog: {
    title: (plan: string) => `Zu ${plan} wechseln`,
    limits: (photos: string, gigabytes: string) => `Ab jetzt: ${photos} Fotos im Monat und ${gigabytes} GB Speicher.`,
    withApi: 'Der API-Zugang ist enthalten.',
    withoutApi: 'Der API-Zugang endet.',
    overStorage: (used: string) =>
      `Du hast schon ${used} gespeichert, also mehr als dann passt. Deine Fotos bleiben vorerst, neue warten, bis Platz ist.`,
    larger: (price: string) =>
      `Du zahlst heute ${price}, abzüglich dessen, was von deinem bezahlten Zeitraum übrig ist.`,
    smaller: (price: string) =>
      `Was von deinem bezahlten Zeitraum übrig ist, deckt den neuen Preis von ${price} und danach die nächsten Zahlungen, solange du das Abo behältst.`,
    credit: (credit: string) => `Auch dein Guthaben von ${credit} wird verwendet.`,
    asking: 'Wir berechnen, was du heute zahlst…',
    charged: (amount: string) => `Du zahlst heute ${amount}.`,
    nothing: 'Du zahlst heute nichts.',
    left: (credit: string) =>
      `Von dem, was du bezahlt hast, bleiben ${credit} für die nächsten Zahlungen, solange du das Abo behältst.`,
    continues: 'Du hast gekündigt; mit diesem Wechsel läuft dein Abo weiter.',
    renews: (price: string) => `Danach verlängert es sich für ${price}.`,
    submit: 'Tarif wechseln',
  },
  changeTo: {
    heading: (percent: number) => `Jährlich zahlen und ${percent}\u00a0% sparen`,
    lead: (year: string, month: string, twelve: string) => `${year} im Jahr statt 12 × ${month} = ${twelve}.`,
    more: (photos: string, gigabytes: string) => `${photos} Fotos im Monat, ${gigabytes} GB Speicher und API-Zugang.`,
    action: 'Auf jährlich wechseln',
  },
  refund: {
    heading: 'Geld zurück',
    hint: (date: string) => `Bis zum ${date} bekommst du alles zurück, was du bezahlt hast.`,
    open: 'Geld zurückfordern',
    title: 'Geld zurück',
    amount: (amount: string) => `${amount} gehen zurück auf die Karte, von der sie kamen.`,
    everything: 'Alles, was du bezahlt hast, geht zurück auf die Karte, von der es kam.',
    ends: (next: string) =>
      `Dein Abo endet sofort, und du hast dann ${next}. Das geht nur einmal und lässt sich nicht rückgängig machen.`,
    photos: (gigabytes: string) => `Fotos über ${gigabytes} GB bleiben noch ${billingLimits.keepDays} Tage erhalten.`,
    submit: (amount: string) => `Tarif beenden und ${amount} zurückbekommen`,
    submitAll: 'Tarif beenden und Geld zurückbekommen',
    ended: 'Dein Tarif ist schon beendet. Das geht nur einmal und lässt sich nicht rückgängig machen.',
    submitEnded: (amount: string) => `${amount} zurückbekommen`,
    submitEndedAll: 'Geld zurückbekommen',
  },
  withdraw: {
    heading: 'Widerrufsrecht',
    hint: (date: string) => `Du kannst diesen Vertrag bis zum Ende des ${date} ohne Grund widerrufen.`,
    open: 'Vertrag widerrufen',
  },
  portal: {
    heading: 'Karte und Rechnungen',
    hint: 'Auf der Seite unseres Zahlungsanbieters',
    open: 'Abrechnung öffnen',
  },
  invoices: {
    heading: 'Zahlungen',
    none: 'Noch keine Zahlungen.',
    date: (date: string) => date,
    refunded: 'Erstattet',
    partlyRefunded: (amount: string) => `${amount} erstattet`,
    disputed: 'Angefochten',
    open: 'Rechnung',
    openOf: (date: string) => `Rechnung vom ${date}`,
    more: (count: string) => `Alle ${count} anzeigen`,
  },
}

export const usage: typeof english.usage = {
  heading: 'Dein Verbrauch diesen Monat',
  photos: 'Fotos',
  storage: 'Speicher',
  of: (used: string, most: string) => `${used} von ${most}`,
  photosLeft: (percent: string, left: string, until: string) => `${percent}, noch ${left} bis zum ${until}`,
  storageLeft: (percent: string, left: string) => `${percent}, noch ${left} frei`,
  counting: 'Fotos zählen ab dem 1. des Monats (UTC). Gelöschte zählen mit, fehlgeschlagene nicht.',
  yourPlan: (plan: string) => `Dein Tarif ist ${plan}.`,
  planUnknown: 'Was dein Tarif enthält, können wir gerade nicht sagen. Sobald wir es wissen, steht es hier.',
  left: (left: string, most: string, until: string) => `Noch ${left} von ${most} Fotos bis zum ${until}.`,
  monthNear: (used: string, left: string, until: string) =>
    `${used} Fotos dieses Monats sind verbraucht, noch ${left} bis zum ${until}.`,
  monthFull: (most: string, until: string) =>
    `Alle ${most} Fotos dieses Monats sind verbraucht. Weitere warten in der Upload-Liste und werden am ${until} von selbst hochgeladen, oder sobald du einen größeren Tarif hast.`,
  storageNear: (used: string, left: string) => `${used} Speicher sind belegt, ${left} noch frei.`,
  storageFull: (size: string) =>
    `Dein Speicher von ${size} ist voll. Fotos, die nicht mehr passen, warten in der Upload-Liste und werden von selbst hochgeladen, sobald du andere löschst oder einen größeren Tarif hast.`,
  plans: 'Tarife ansehen',
  gallery: 'Galerie öffnen',
  subscription: 'Verbrauch ansehen',
  hide: 'Bis 90\u00a0% ausblenden',
}
