import type { LegalContext } from '../legal-text.ts'
import type { DeviceKey, RecordId } from './inventory.ts'

const contract = 'Um zu tun, wofür du dich registriert hast (Vertrag)'
const security = 'Um Konten und den Dienst zu schützen (berechtigtes Interesse)'

/** Was, warum und auf welcher Rechtsgrundlage, und wie lange. */
type Row = readonly [string, string, string]

const recordsOfOwners = ({ values: v }: LegalContext) =>
  ({
    account: [
      '**Dein Konto**: E-Mail-Adresse und ob sie bestätigt ist, Benutzername, Markenname, Zeitzone, Einstellungen, der Tag deiner Registrierung, die Fassung der AGB, die du angenommen hast, und dein Passwort als Hash, der sich nicht zurückrechnen lässt',
      contract,
      'Bis du das Konto löschst. Konten, die nicht benutzt werden, werden nicht von selbst gelöscht',
    ],
    consents: [
      '**Einwilligungen**: welche E-Mails mit Neuigkeiten und Angeboten du erlaubt oder abgelehnt hast, wann, und die Fassung des Satzes',
      'Um deine Einwilligung nachzuweisen (rechtliche Verpflichtung)',
      'Bis du das Konto löschst',
    ],
    sessions: [
      `**Deine Anmeldungen**: ein Hash des Tokens der Sitzung, was der Browser über sich selbst sagt (höchstens ${v.userAgentChars} Zeichen), wann sie begann und zuletzt benutzt wurde`,
      'Damit du angemeldet bleibst und deine Geräte siehst (Vertrag)',
      `Bis du dich abmeldest, ${v.sessionIdleDays} Tage ohne Nutzung oder ${v.sessionMaxDays} Tage insgesamt`,
    ],
    photos: [
      '**Fotos** mit ihren Vorschaubildern, Dateinamen, Maßen, Zeitpunkten des Uploads und Codes, und ob sie ausgeblendet sind; bei einem Foto, das wir ausgeblendet haben, wann, und was wir dir dazu geschrieben haben. Ort, Gerät und andere verborgene Daten werden entfernt; nur die Angaben zu Urheberrecht und Urheber bleiben',
      'Um Fotos für ihren Eigentümer zu speichern, zu zeigen und weiterzugeben (Vertrag mit dem Eigentümer)',
      `Bis der Eigentümer sie löscht: Ab dann kann niemand sie mehr öffnen, ein Auftrag entfernt sofort die Dateien, und ${v.deletedPhotoHours} Stunden später verschwindet der letzte Eintrag. Die hochgeladene Datei selbst verschwindet, sobald das Foto fertig ist, die eines fehlgeschlagenen Fotos nach ${v.failedOriginalDays} Tagen`,
    ],
    removals: [
      '**Entfernte Fotos**: welche Fotos nach dem Ende eines größeren Tarifs entfernt werden oder wurden, und welche E-Mails dich darauf hingewiesen haben',
      contract,
      `${v.keepDays} Tage bis zum Entfernen, und ${v.undoRemovalDays} Tage, in denen du es rückgängig machen kannst`,
    ],
    branding: [
      '**Dein Logo und dein Hintergrund**, und wie weit das Hinzufügen eines Wasserzeichens ist. Von einem Foto mit Wasserzeichen wird auch das Bild ohne Wasserzeichen gespeichert; nur du kannst es bekommen',
      contract,
      'Bis du sie oder das Konto löschst',
    ],
    usage: [
      '**Deine Nutzung**: wie viele Fotos du in jedem Monat hochgeladen hast, welche Hinweise auf Limits du bekommen hast, und die Rechenzeit von Dateien, die lange dauern',
      'Um die Limits deines Tarifs anzuwenden (Vertrag)',
      `Bis du das Konto löschst; Rechenzeit ${v.processingDays} Tage`,
    ],
    insights: [
      '**Anzahlen**: wie oft ein Foto in jeder Stunde gescannt, angesehen, heruntergeladen und angefordert wurde. Nur Zahlen: nichts darüber, von wem',
      'Um Eigentümern zu zeigen, wie ihre Fotos genutzt werden (berechtigtes Interesse)',
      'Bis das Foto gelöscht wird',
    ],
  }) as const

const recordsOfGuests = ({ values: v }: LegalContext) =>
  ({
    requests: [
      '**Anfragen von Gästen**: die E-Mail-Adresse, das angeforderte Foto, der Zeitpunkt, die Fassung des Satzes neben dem Feld, und ein Hash des verschickten Links',
      'Um das Foto zu schicken, das der Gast angefordert hat (Einwilligung)',
      `${v.requestDays} Tage, oder bis das Foto gelöscht wird. Der Link funktioniert ${v.grantHours} Stunden; sein Hash verschwindet ${v.expiredLinkDays} Tage später`,
    ],
    requestAttempts: [
      '**Pseudonyme**: eines für das Netz, aus dem jemand ein Foto angefordert hat. Es ist jeden Tag neu und lässt sich nicht in eine IP-Adresse zurückrechnen',
      'Um eine Flut von E-Mails zu verhindern (berechtigtes Interesse)',
      `${v.requestAttemptDays} Tag`,
    ],
    blockedMailboxes: [
      '**Abbestellte Postfächer**: dass ein Postfach keine Fotos mehr will: ein Hash, aus dem sich die Adresse nicht ablesen lässt',
      'Um deinen Widerspruch zu beachten (rechtliche Verpflichtung)',
      'Bis du E-Mails mit Fotos wieder erlaubst',
    ],
    reports: [
      `**Meldungen** zu einem Foto: der Grund, der Zeitpunkt, und was du in die Anmerkung geschrieben hast (höchstens ${v.reportNoteChars} Zeichen). Nicht, wer du bist`,
      'Um die Menschen auf Fotos zu schützen (berechtigtes Interesse und rechtliche Verpflichtung)',
      'Bis das Foto gelöscht wird',
    ],
    support: [
      '**Nachrichten an den Support**: Name, E-Mail-Adresse, Betreff, Nachricht, dein Konto, wenn du angemeldet bist, und ein Pseudonym wie oben gegen Missbrauch. Sie gehen auch per E-Mail an die, die antworten',
      'Um dir zu antworten (Vertrag, berechtigtes Interesse)',
      `${v.supportAnsweredDays} Tage nach der Antwort; ohne Antwort ${v.supportOpenDays} Tage, ${v.supportSuspectedDays} Tage, wenn sie nach Spam aussehen; das Pseudonym ${v.requestAttemptDays} Tag`,
    ],
    emails: [
      '**E-Mails**, die wir senden: die Adresse, die Art, Zeitpunkte, ob die E-Mail versendet wurde und wenn nicht, warum',
      'Um sie einmal zu senden und Eigentümern zu sagen, was aus einer Anfrage geworden ist (Vertrag, berechtigtes Interesse)',
      `${v.requestDays} Tage; die zum Ende eines Kontos ${v.receiptHours} Stunden`,
    ],
    links: [
      '**Links in E-Mails**: Hashes von Links, mit denen du ein neues Passwort festlegst oder eine Adresse bestätigst, mit dieser Adresse',
      contract,
      `Die Links funktionieren ${v.resetMinutes} Minuten und ${v.verifyDays} Tage; ihre Hashes verschwinden ${v.expiredLinkDays} Tage später`,
    ],
  }) as const

const recordsOfService = ({ values: v }: LegalContext) =>
  ({
    exports: [
      '**Datenexporte**: die Datei mit allen deinen Daten, wenn du sie angefordert hast oder bevor Fotos entfernt werden',
      'Um dir deine Daten zu geben (rechtliche Verpflichtung)',
      `${v.exportDays} Tage`,
    ],
    integrations: [
      '**API-Schlüssel** (Name, Hash, letzte vier Zeichen, letzte Nutzung) und **Webhooks** mit der Adresse, die du angegeben hast, und einem Protokoll dessen, was gesendet wurde',
      contract,
      `Bis du sie löschst; das Protokoll ${v.webhookLogDays} Tage`,
    ],
    billing: [
      '**Zahlungen**: Tarif, Zeiträume, Erstattungen und die Nummer deines Kontos beim Zahlungsanbieter. Keine Kartendaten: Sie erreichen uns nie',
      'Um Tarife zu verkaufen (Vertrag) und Bücher zu führen (rechtliche Verpflichtung)',
      `Bis du das Konto löschst und alles abgewickelt ist; Nachrichten des Zahlungsanbieters ${v.paymentEventDays} Tage. Rechnungen bleiben so lange, wie das belgische Steuerrecht es verlangt`,
    ],
    knownClients: [
      '**IP-Adressen** (von IPv6 die erste Hälfte), von denen du dich angemeldet hast',
      security,
      `${v.knownClientDays} Tage nach der letzten Anmeldung, oder bis du dein Passwort zurücksetzt`,
    ],
    passwordAttempts: [
      '**Falsche Passwörter**: die eingegebene E-Mail-Adresse, die Zahl der Versuche und, wo du dich schon angemeldet hattest, die IP-Adresse',
      security,
      `${v.passwordAttemptDays} Tag nach dem letzten Versuch`,
    ],
    rateLimits: [
      '**Zähler**: wie oft eine IP-Adresse, ein Konto oder ein Schlüssel etwas aufgerufen hat, wofür ein Limit gilt',
      security,
      `Etwa ${v.rateHitMinutes} Minuten`,
    ],
    audit: [
      '**Prüfprotokoll**: was Betreiber und Programme mit einem Admin-Schlüssel getan oder nachgesehen haben, mit dem Namen des Kontos und dem Grund',
      'Um prüfen zu können, wer solche Rechte genutzt hat (berechtigtes Interesse)',
      `Handlungen ${v.auditActionDays} Tage, Aufrufe ${v.auditCallDays} Tage. Nachdem du dein Konto gelöscht hast, nennt dich darin nichts mehr`,
    ],
    log: [
      '**Das Protokoll des Programms**: Fehler und Starts, mit internen Nummern von Fotos, E-Mails und Kunden. Anfragen, IP-Adressen und Links werden nicht protokolliert',
      'Um Fehler zu finden (berechtigtes Interesse)',
      'Bis es auf unserem Server überschrieben wird',
    ],
    copies: [
      '**Sicherungen**: Kopien der ganzen Datenbank und der Dateien, wenn wir sie gegen Verlust anlegen; und zufällige interne Nummern gelöschter Konten und Fotos, mit dem Zeitpunkt der Löschung',
      'Um den Dienst nach einem Verlust wiederherzustellen (berechtigtes Interesse)',
      `Bis eine neuere Kopie sie ersetzt; die Nummern ${v.erasureDays} Tage. Was du gelöscht hast, wird nach dem Wiederherstellen einer Kopie noch einmal gelöscht: Dafür sind die Nummern da`,
    ],
  }) as const

export const records = (context: LegalContext): Record<RecordId, Row> => ({
  ...recordsOfOwners(context),
  ...recordsOfGuests(context),
  ...recordsOfService(context),
})

/** Was ein Browser speichert, warum, und bis wann. */
export const deviceStorage = ({ values: v }: LegalContext): Record<DeviceKey, readonly [string, string]> => ({
  token: ['Hält dich angemeldet', 'Bis du dich abmeldest oder deine Sitzung endet'],
  theme: ['Hell oder dunkel, wenn du eines gewählt hast', 'Bis du System wählst'],
  cookie_preferences: ['Deine Auswahl im Cookie-Hinweis', 'Bis du sie löschst'],
  cookie_decision: ['Wann du diese Auswahl getroffen hast, und für welche Statistik', 'Bis du sie löschst'],
  'hidden-usage-warning': ['Welchen Hinweis auf ein Limit du geschlossen hast', 'Bis zum nächsten'],
  'stage-prints': ['Ob der große Bildschirm die letzten Fotos zeigt', 'Bis du sie wieder einschaltest'],
  'keepsnap-uploads': [
    'Ausgewählte Fotos, für die dein Tarif noch keinen Platz hat, damit sie ein Neuladen überstehen',
    'Bis sie hochgeladen sind oder du sie entfernst',
  ],
  language: ['Die Sprache, die du gewählt hast, wenn du eine gewählt hast', `${v.languageDays} Tage`],
  places: ['Wie weit du gescrollt hattest, für den Zurück-Knopf', 'Bis du den Tab schließt'],
  'stage-full': ['Ob der große Bildschirm im Vollbild ist', 'Bis du den Tab schließt'],
  'stage-reloaded': ['Wann sich der große Bildschirm zuletzt selbst neu geladen hat', 'Bis du den Tab schließt'],
  'report-later-*': [
    'Bis zu welcher Meldung du „Später“ gewählt hast; auf den Namen folgt die Nummer deines Kontos',
    'Bis du den Tab schließt',
  ],
  'support-draft': [
    'Eine Nachricht an den Support, die du noch nicht gesendet hast',
    'Bis du sie sendest oder den Tab schließt',
  ],
})
