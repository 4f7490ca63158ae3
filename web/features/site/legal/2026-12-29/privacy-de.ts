import { text as before } from '../2026-11-23/privacy-de.ts'
import { amend } from '../amend.ts'

const security = 'Um Konten und den Dienst zu schützen (berechtigtes Interesse)'

/** Die Datenschutzerklärung auf Deutsch, eine Übersetzung. */
export const text = amend(before, ({ values: v }) => ({
  'Was die Seiten zum Funktionieren brauchen':
    'Was die Seiten zum Funktionieren brauchen, wird ohne Nachfrage auf deinem Gerät gespeichert, wie das Gesetz es erlaubt. Es bleibt dort: Nur das Token der Sitzung, die Sprache und, wenn du dich anmeldest, der Cookie device werden an uns gesendet.',
  'language (Cookie)': [
    ['language (Cookie)', 'Die Sprache, die du gewählt hast, wenn du eine gewählt hast', `${v.languageDays} Tage`],
    [
      'device (Cookie)',
      'Erkennt diesen Browser, wenn du dich wieder anmeldest, damit andere, die Passwörter ausprobieren, dich nicht aufhalten und damit du von Anmeldungen mit anderen Browsern erfährst. Von deinem Konto enthält er nur einen Hash mit einem geheimen Schlüssel, aus dem es sich nicht ablesen lässt, und er meldet niemanden an',
      `${v.deviceCookieDays} Tage nach deiner letzten Anmeldung, oder bis du ihn löschst. Nach einem neuen Passwort gilt er nicht mehr`,
    ],
    [
      'unsent-uploads-* (lokaler Speicher)',
      'Die Namen der Fotos, die du gerade hochlädst, damit du nach einem Neuladen liest, welche fehlen, und Angekommenes übersprungen wird',
      'Bis alle hochgeladen sind, du die Meldung schließt oder dich abmeldest',
    ],
  ],
  '**Nachrichten an den Support**': [
    [
      '**Nachrichten an den Support**: Name, E-Mail-Adresse, Betreff, Nachricht, dein Konto, wenn du angemeldet bist, und Pseudonyme wie oben, bei IPv6 auch der zwei weiteren Netze, gegen Missbrauch. Sie gehen auch per E-Mail an die, die antworten',
      'Um dir zu antworten (Vertrag, berechtigtes Interesse)',
      `${v.supportAnsweredDays} Tage nach der Antwort; ohne Antwort ${v.supportOpenDays} Tage, ${v.supportSuspectedDays} Tage, wenn sie nach Spam aussehen; die Pseudonyme ${v.requestAttemptDays} Tag`,
    ],
  ],
  '**Falsche Passwörter**': [
    [
      '**Falsche Passwörter**: die eingegebene E-Mail-Adresse, die Zahl der Versuche und, wo du dich schon angemeldet hattest, die IP-Adresse oder die zufällige Nummer des Browsers aus seinem Cookie device',
      security,
      `${v.passwordAttemptDays} Tag nach dem letzten Versuch`,
    ],
  ],
  '**Zähler**': [
    [
      '**Zähler**: wie oft eine IP-Adresse (bei IPv6 ein Netz), ein Browser mit dem Cookie device, ein Konto oder ein Schlüssel etwas aufgerufen hat, wofür ein Limit gilt',
      security,
      `Etwa ${v.rateHitMinutes} Minuten; bei Uploads etwa ${v.uploadHitMinutes} Minuten`,
    ],
  ],
}))
