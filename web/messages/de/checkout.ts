import type { checkout as english } from '../en/checkout.ts'

export const checkout: typeof english = {
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
