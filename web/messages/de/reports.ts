import type { reports as english } from '../en/reports.ts'

export const reports: typeof english = {
  heading: 'Gemeldete Fotos',
  lead: 'Ein ausgeblendetes Foto ist für Gäste sofort weg: Codes, Seiten und Links aus E-Mails funktionieren nicht mehr. Du selbst siehst es weiterhin und kannst es wieder zeigen.',
  reasons: {
    me: 'Ich bin darauf zu sehen und möchte das nicht',
    child: 'Es zeigt ein Kind',
    hurtful: 'Es ist verletzend',
    illegal: 'Es könnte verboten sein',
    other: 'Ein anderer Grund',
  },
  badges: {
    open: 'Zu prüfen',
    hide: 'Für Gäste ausgeblendet',
    keep: 'Sichtbar',
    operator: 'Vom Betreiber ausgeblendet',
  },
  inGallery: 'in der Galerie',
  label: (name: string) => `Meldungen zu ${name}`,
  more: (count: number) => (count === 1 ? '1 weitere Meldung' : `${count} weitere Meldungen`),
  hide: 'Für Gäste ausblenden',
  keep: 'Sichtbar lassen',
  show: 'Wieder zeigen',
  /** Of a photo that the operator of the site hid. */
  mistake: 'Ist das ein Irrtum?',
  support: 'Support kontaktieren',
  undo: 'Rückgängig',
  done: {
    hide: 'Ausgeblendet. Gäste können es nicht mehr öffnen.',
    keep: 'Gäste können es öffnen. Die Meldungen sind erledigt.',
    undo: 'Gäste können es wieder öffnen. Du musst es noch prüfen.',
    staysHidden: 'Es bleibt für Gäste ausgeblendet.',
  },
  notice: {
    label: 'Gemeldete Fotos',
    heading: 'Ein Gast hat dieses Foto gemeldet',
    more: (photos: number) => (photos === 1 ? 'und 1 weiteres Foto' : `und ${photos} weitere Fotos`),
    review: 'Prüfen',
    dismiss: 'Später',
  },
  sign: (photos: number) => (photos === 1 ? '1 Foto gemeldet' : `${photos} Fotos gemeldet`),
  confirmShow: {
    title: 'Dieses Foto wieder zeigen?',
    question: 'Gäste können es dann wieder über Codes, Seiten und E-Mails öffnen.',
    confirm: 'Wieder zeigen',
  },
  reviewed: (count: number) => (count === 1 ? '1 Foto geprüft' : `${count} Fotos geprüft`),
  errors: {
    decide: 'Deine Entscheidung konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    undo: 'Das konnte nicht rückgängig gemacht werden. Bitte versuch es noch einmal.',
  },
}
