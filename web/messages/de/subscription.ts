import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { subscription as english } from '../en/subscription.ts'

export const subscription: typeof english = {
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
