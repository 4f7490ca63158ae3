import type { settings as english } from '../en/settings.ts'

export const settings: typeof english = {
  askForEmail: {
    label: 'Nach E-Mail-Adresse fragen',
    hint: 'Gäste geben eine Adresse ein und bekommen das Foto per E-Mail. Das gilt auch für Codes, die du schon gedruckt hast.',
    saved: 'E-Mail-Einstellung gespeichert',
    failed: 'Die E-Mail-Einstellung konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
  },
  photos: 'Fotos',
  watermark: {
    label: 'Wasserzeichen',
    hint: 'Setzt dein Logo auf neue Fotos. Dafür brauchst du ein Logo und einen Pro-Tarif.',
    saved: 'Wasserzeichen gespeichert',
    failed: 'Das Wasserzeichen konnte nicht gespeichert werden',
  },
  watermarkLayout: {
    size: 'Größe',
    sizes: { small: 'Klein', medium: 'Mittel', large: 'Groß' },
    strength: 'Deckkraft',
    strengths: { light: 'Zart', medium: 'Mittel', strong: 'Kräftig' },
    corner: 'Position',
    corners: {
      'top-left': 'Oben links',
      'top-right': 'Oben rechts',
      center: 'Mitte',
      'bottom-left': 'Unten links',
      'bottom-right': 'Unten rechts',
    },
    saved: 'Wasserzeichen gespeichert',
    failed: 'Das Wasserzeichen konnte nicht gespeichert werden',
  },
  mail: 'E-Mail',
  preferences: {
    saved: 'Deine Auswahl ist gespeichert',
    failed: 'Deine Auswahl konnte nicht gespeichert werden',
  },
  news: { label: 'Neuigkeiten', hint: 'Eine kurze E-Mail, wenn es etwas Neues gibt. Ein paar Mal im Jahr.' },
  offers: { label: 'Angebote', hint: 'Rabatte und Aktionen zur Saison.' },
  removals: {
    label: 'Bevor Adressen entfernt werden',
    hint: 'Eine E-Mail, wenn innerhalb von 14 Tagen 20 oder mehr Adressen von Gästen entfernt werden. Höchstens eine im Monat.',
  },
  service:
    'Wichtige E-Mails zu deinem Konto, etwa zum Zurücksetzen des Passworts, bekommst du immer. Werbung enthalten sie nie.',
}
