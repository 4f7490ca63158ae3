import { productName } from '@keepsnap/contract/product.ts'
import type { cookies as english } from '../en/cookies.ts'

/** The notice about cookies, and its settings. */
export const cookies: typeof english = {
  title: 'Cookie-Hinweis',
  essential: `${productName} speichert deine Anmeldung, deine Anzeige-Einstellungen und diese Auswahl auf deinem Gerät. Ohne sie funktioniert die Website nicht.`,
  permission: 'Mit deiner Erlaubnis zählen wir auch Besuche.',
  noAnalytics: 'Auf dieser Website ist keine Statistik eingerichtet, es wird also so oder so nichts gezählt.',
  more: 'Datenschutz',
  customize: 'Anpassen',
  essentialOnly: 'Nur notwendige',
  acceptAll: 'Alle akzeptieren',
  choices: 'Was verwendet werden darf',
  essentialName: 'Notwendig',
  essentialHint: 'Immer an. Deine Anmeldung, deine Anzeige-Einstellungen und diese Auswahl.',
  analyticsName: 'Statistik',
  analyticsHint: (provider, host) =>
    `Zählt Besuche von Seiten mit ${provider} auf ${host}, ohne Cookies und ohne deinen Namen oder deine Fotos. So sehen wir, was schwer zu finden ist. Keine Werbung.`,
  analyticsUnknown: 'Zählt Besuche von Seiten, wenn auf dieser Website eine Statistik eingerichtet ist. Keine Werbung.',
  save: 'Auswahl speichern',
  close: 'Schließen',
}
