import type * as english from '../en/withdrawal-emails.ts'

/** Die Eingangsbestätigung eines Widerrufs. Sie wiederholt, was geschrieben wurde, wie das Gesetz es will. */
export const withdrawalEmails: typeof english.withdrawalEmails = {
  subject: 'Dein Widerruf des Vertrags',
  preview: (when) => `Erklärt am ${when}.`,
  lead: (host, when) =>
    `Am ${when} hast du einen Vertrag bei ${host} widerrufen. Diese E-Mail ist deine Eingangsbestätigung; bitte bewahre sie auf.`,
  declared: 'Was erklärt wurde',
  declaration: 'Ich widerrufe diesen Vertrag.',
  labels: { name: 'Name', email: 'E-Mail', contract: 'Vertrag', made: 'Erklärt am' },
  accepted: (plan) =>
    `${plan} ist beendet, und was du für diesen Vertrag gezahlt hast, geht über dieselbe Zahlungsart an dich zurück. Eine weitere E-Mail nennt den Betrag.`,
  acceptedPlan: 'Dein Tarif',
  link: (plan, concluded) =>
    `Wir haben diesen Vertrag gefunden: ${plan}, geschlossen am ${concluded}. Drücke auf die Schaltfläche und bestätige auf der Seite, die sich öffnet: Der Tarif endet, und dein Geld geht sofort zurück.`,
  linkOr: (date) =>
    `Sonst tun wir es selbst, spätestens am ${date}. Dein Widerruf zählt ab dem Moment, in dem du ihn erklärt hast.`,
  unmatched:
    'Mit dieser E-Mail-Adresse wurde kein laufender Vertrag gefunden. Hat dein Konto eine andere Adresse, oder meinst du einen Vertrag, der schon beendet ist, dann antworte auf diese E-Mail oder schreib an den Support: Wir suchen ihn.',
  late: (plan, concluded, until) =>
    `Wir haben diesen Vertrag gefunden: ${plan}, geschlossen am ${concluded}. Die Widerrufsfrist ist am ${until} abgelaufen, deshalb läuft der Tarif weiter.`,
  lateAdvice: (days) =>
    `Vielleicht bekommst du dein Geld trotzdem zurück: innerhalb von ${days} Tagen nach deiner ersten Zahlung, einmal pro Konto, in den Einstellungen. Wir sehen uns deinen Widerruf auch an und schreiben dir, wenn er doch zählt.`,
  closed:
    'Wir haben uns diesen Widerruf angesehen, und es ist nichts mehr zu tun. Wenn du meinst, dass das ein Fehler ist, antworte auf diese E-Mail oder schreib an den Support.',
  looking:
    'Wir suchen deinen Vertrag. Eine weitere E-Mail folgt und sagt, was wir gefunden haben. Dein Widerruf zählt ab dem Moment, in dem du ihn erklärt hast.',
  button: 'Tarif beenden und Geld zurück',
  reason: (host) =>
    `Du bekommst diese E-Mail, weil diese Adresse bei einem Widerruf auf ${host} angegeben wurde. Wenn du das nicht warst, kannst du sie ignorieren.`,
}

/** Die Seite des Links in dieser Bestätigung. */
export const withdrawalLink: typeof english.withdrawalLink = {
  title: 'Dein Widerruf',
  description: 'Schließe deinen Widerruf eines Vertrags ab.',
  ask: {
    heading: (plan) => `${plan} beenden und Geld zurückbekommen?`,
    lead: (when) => `Du hast diesen Vertrag am ${when} widerrufen.`,
    effect:
      'Der Tarif endet sofort, und was du für diesen Vertrag gezahlt hast, geht über dieselbe Zahlungsart an dich zurück. Dein Konto bleibt, mit dem Tarif Free.',
    button: 'Tarif beenden und Geld zurück',
  },
  accepted: {
    heading: (plan) => `${plan} wird beendet`,
    lead: 'Dein Geld ist auf dem Weg zurück. Das kann einen Moment dauern; du musst nichts tun.',
  },
  done: {
    heading: (plan) => `${plan} ist beendet`,
    refunded: (amount) => `Wir haben ${amount} zurückgezahlt. Es kann einige Tage dauern, bis deine Bank es anzeigt.`,
    nothing: 'Es war nichts mehr zurückzuzahlen.',
  },
  closed: {
    heading: 'Es ist nichts zu tun',
    lead: 'Dieser Widerruf ist abgeschlossen. Wenn du meinst, dass das ein Fehler ist, schreib an den Support.',
  },
  gone: {
    heading: 'Dieser Link ist nicht gültig',
    advice:
      'Vielleicht fehlt ein Teil, oder er ist zu alt. Öffne ihn noch einmal aus der E-Mail, oder schreib an den Support.',
  },
  support: 'Support kontaktieren',
}
