import { billingLimits } from '@keepsnap/contract/limits.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import type * as english from '../en/pricing.ts'

const largestFiles = Array.from(new Set(planIds.map((id) => plans[id].features.max_file_size_mb)))

export const claims: typeof english.claims = {
  title: 'Preise',
  lead: 'In jedem Tarif: unbegrenzt viele QR-Codes und keine Einrichtungsgebühr. Du kannst jederzeit wechseln oder kündigen.',
  guarantee: `${billingLimits.refundDays} Tage Geld-zurück-Garantie. Nach dem Ende deines Tarifs bleiben deine Fotos noch ${billingLimits.keepDays} Tage erhalten.`,
  api: (plan: string) => `Der API-Zugang gehört zu ${plan}.`,
  apiDocumentation: 'Zur API-Dokumentation',
  heading: 'Fragen und Antworten',
  questions: [
    {
      question: 'Brauchen Gäste eine App oder ein Konto?',
      answer: 'Nein. Die Handykamera liest den Code, und das Foto öffnet sich im Browser.',
    },
    {
      question: 'Ist die Zahl der QR-Codes begrenzt?',
      answer:
        'Nein, du bekommst unbegrenzt viele QR-Codes. Jedes Foto hat zwei: einen zum Herunterladen und einen, um es per E-Mail anzufordern. Beide lassen sich beliebig oft scannen.',
    },
    {
      question: 'Gibt es eine Einrichtungsgebühr?',
      answer: 'Nein, keine Einrichtungsgebühr. Du zahlst den Preis des Tarifs und sonst nichts.',
    },
    {
      question: 'Was passiert, wenn mein Monatslimit erreicht ist?',
      answer:
        'Weitere Fotos warten in der Upload-Liste, bis du einen größeren Tarif wählst oder der nächste Monat beginnt. Hochgeladene Fotos bleiben, und ihre Codes funktionieren weiter.',
    },
    {
      question: 'Kann ich zwischen monatlich und jährlich wechseln?',
      answer:
        'Ja, jederzeit, hier oder in den Einstellungen. Was von deinem bezahlten Zeitraum übrig ist, wird auf den neuen Preis angerechnet.',
    },
    {
      question: 'Bekomme ich mein Geld zurück?',
      answer: `Ja, es gibt eine ${billingLimits.refundDays}-Tage-Geld-zurück-Garantie: In den ersten ${billingLimits.refundDays} Tagen nach deiner ersten Zahlung bekommst du alles zurück, was du bezahlt hast. Du forderst es in den Einstellungen an, und dein Tarif endet dann sofort. Das geht einmal pro Kundin oder Kunde.`,
    },
    {
      question: 'Was passiert mit meinen Fotos, wenn ich kündige?',
      answer: `Dein Tarif läuft bis zum Ende des bezahlten Zeitraums. Danach bleiben deine Fotos noch ${billingLimits.keepDays} Tage erhalten. Dann werden die ältesten entfernt, bis der Rest in den Speicher des kostenlosen Tarifs passt. Vorher schreiben wir dir drei E-Mails, und du kannst es noch ${billingLimits.undoRemovalDays} Tage lang rückgängig machen.`,
    },
    {
      question: 'Wie zuverlässig ist es?',
      answer:
        'Das Ziel sind 99,9\u00a0% Verfügbarkeit: höchstens etwa 44 Minuten im Monat, in denen Seiten und Codes nicht erreichbar sind. Der Betreiber dieser Website strebt das an, eine Garantie mit Entschädigung ist es nicht.',
    },
    {
      question: 'Welche Fotos kann ich hochladen?',
      answer: `JPG, PNG, GIF, WebP, AVIF, TIFF und HEIC: bis ${largestFiles[0]} MB pro Datei im kostenlosen Tarif, bis ${largestFiles.at(-1)} MB mit Pro. HDR-Fotos werden ohne ihre zusätzliche Helligkeit gespeichert.`,
    },
  ],
}

export const pricing: typeof english.pricing = {
  heading: 'Starte kostenlos. Wechsle, wenn dein Kalender voller wird.',
  cycle: 'Abrechnung',
  cycles: { month: 'Monatlich', year: 'Jährlich' },
  save: (percent: number) => `${percent}\u00a0% sparen`,
  marked: { month: 'Jederzeit kündbar', year: 'Bester Preis' },
  names: { free: plans.free.name, pro_monthly: plans.pro_monthly.name, pro_yearly: plans.pro_yearly.name },
  forever: 'für immer',
  noCard: 'Ohne Kreditkarte',
  vat: 'Alle Preise enthalten die Mehrwertsteuer, soweit sie anfällt.',
  perMonth: 'pro Monat',
  perYear: 'pro Jahr',
  perInterval: (amount: string, per: string) => `${amount} ${per}`,
  paidMonthly: 'Monatlich bezahlt, jederzeit kündbar',
  aboutPerMonth: (price: string, saving: string) => `etwa ${price} pro Monat, ${saving}`,
  inAYear: (price: string) => `${price} im Jahr`,
  photos: (count: string) => `${count} Fotos im Monat`,
  storage: (gigabytes: number) => `${gigabytes} GB Speicher`,
  files: (megabytes: number) => `Dateien bis ${megabytes} MB`,
  bothCodes: 'Beide QR-Codes bei jedem Foto',
  branding: 'Eigenes Logo, eigener Hintergrund, eigenes Wasserzeichen',
  brandingShort: 'Eigenes Logo und Wasserzeichen',
  analytics: 'Statistik und bevorzugter Support',
  api: 'API-Zugang für deine Fotobox oder Kamera',
  apiShort: 'API-Zugang',
  notIncluded: 'Nicht enthalten: ',
  getStarted: 'Loslegen',
  startsFree: 'Jedes Konto beginnt mit dem kostenlosen Tarif.',
  choose: (plan: string) => `${plan} wählen`,
  changePlan: 'Tarif wechseln',
  yourPlan: 'Dein Tarif',
  endsOn: (date: string) => `Endet am ${date}`,
  complimentary: 'Geschenkt',
  complimentaryUntil: (date: string) => `Geschenkt bis zum ${date}`,
  paidUntil: (date: string) => `Bezahlt bis zum ${date}. Zurzeit gilt ein besserer Tarif, der dir geschenkt wurde.`,
  notSold: 'Auf dieser Website werden keine Tarife verkauft.',
  paused: 'Diese Website kann gerade keine Zahlungen annehmen. Versuch es später noch einmal.',
  pending: 'Deine Zahlung ist unterwegs. Dein Tarif beginnt, sobald sie ankommt.',
  payFirst: 'Eine Zahlung fehlt noch. Danach kannst du den Tarif wechseln.',
  toSettings: 'Zu den Einstellungen',
  plansFailed: 'Zurzeit kannst du keinen Tarif kaufen: Die Liste der Tarife konnte nicht geladen werden.',
  statusFailed: 'Dein Abo-Status konnte nicht geladen werden',
  checkoutFailed: 'Die Bezahlseite konnte nicht geöffnet werden. Bitte versuch es noch einmal.',
  chosen: (plan: string, price: string) => `Du hast ${plan} gewählt, ${price}.`,
  toPayment: 'Weiter zur Zahlung',
  freeNow: {
    title: (plan: string) => `${plan} schon jetzt bezahlen?`,
    question: (date: string) =>
      `Dein geschenkter Tarif läuft noch bis zum ${date} und bietet mindestens genauso viel. Du würdest ab heute bezahlen und hättest bis dahin nichts davon.`,
  },
}
