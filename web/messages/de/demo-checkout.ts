import type { demoCheckout as english } from '../en/demo-checkout.ts'

export const demoCheckout: typeof english = {
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
