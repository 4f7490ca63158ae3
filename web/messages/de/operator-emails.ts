import type { operatorEmails as english } from '../en/operator-emails.ts'

export const operatorEmails: typeof english = {
  hidden: {
    subject: 'Eines deiner Fotos wurde für Gäste ausgeblendet',
    preview: 'Warum, und was du tun kannst.',
    heading: 'Eines deiner Fotos wurde ausgeblendet',
    lead: (filename, host, when) =>
      `Der Betreiber von ${host} hat ${filename} für Gäste ausgeblendet: ${when}. Codes, Seiten und Links aus E-Mails öffnen das Foto nicht mehr.`,
    /** Where the operator wrote no message. */
    why: 'Ein Gast hatte es gemeldet, danach wurde es geprüft.',
    hint: 'In deiner Galerie siehst du seinen Platz und den Grund und kannst es löschen. Solange es ausgeblendet ist, kann niemand das Foto selbst öffnen, auch du nicht. Wenn du meinst, dass das ein Irrtum ist, kontaktiere bitte den Support.',
    button: 'Support kontaktieren',
  },
  shown: {
    subject: 'Dein Foto ist wieder freigegeben',
    preview: 'Du findest es in deiner Galerie.',
    heading: 'Dein Foto ist wieder freigegeben',
    lead: (filename, host, when) =>
      `Der Betreiber von ${host} hat ${filename} wieder freigegeben: ${when}. Codes, Seiten und Links aus E-Mails funktionieren wieder.`,
    leadStillHidden: (filename, host, when) => `Der Betreiber von ${host} hat ${filename} wieder freigegeben: ${when}.`,
    stillHidden:
      'Gäste können es noch nicht öffnen, weil du es selbst ausgeblendet hattest. In deiner Galerie kannst du es wieder zeigen.',
    button: 'Foto öffnen',
  },
  message: 'Nachricht des Betreibers',
  reason: (host) => `Du bekommst diese E-Mail, weil es um ein Foto deines Kontos bei ${host} geht.`,
  /** To the operators, about a payment that its holder disputes at the bank. */
  disputed: {
    subject: (amount: string) => `Eine Zahlung von ${amount} wird angefochten`,
    preview: 'Worum es geht und was du tun kannst.',
    heading: 'Eine Zahlung wird angefochten',
    lead: (account: string, amount: string, when: string) =>
      `Wer ${amount} für ${account} bezahlt hat, hat diese Zahlung am ${when} Uhr bei der Bank angefochten. Die Bank holt das Geld zurück, bis darüber entschieden ist.`,
    why: (reason: string) => `Der Grund laut Zahlungsanbieter: ${reason}.`,
    respond: (when: string) =>
      `Bis zum ${when} Uhr kannst du dem Zahlungsanbieter auf seiner eigenen Seite Belege schicken.`,
    ends: 'Der Tarif läuft vorerst weiter. Hat die Anfechtung Erfolg, wird das Abo ohne Erstattung gekündigt, und der Tarif endet.',
    button: 'Konto öffnen',
    reason: (host: string) => `Du bekommst diese E-Mail, weil du ${host} betreibst.`,
  },
}
