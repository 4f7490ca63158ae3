import { productName } from '@keepsnap/contract/site.ts'
import { paths } from '../../../../lib/paths.ts'
import { dollars, type LegalContext, type LegalSection, type LegalText } from '../legal-text.ts'
import { processing } from './terms-processing-de.ts'

const parties: LegalSection = {
  id: 'parties',
  title: 'Die Vertragsparteien',
  blocks: () => [
    `Diese Allgemeinen Geschäftsbedingungen sind der Vertrag zwischen dir, wenn du ein Konto hast, und dem Unternehmen, das diese Website mit dem Programm ${productName} betreibt („wir“):`,
    { operator: { name: 'Unternehmen', address: 'Adresse', vat: 'MwSt.-Nummer', email: 'E-Mail' } },
    'Du nimmst sie an, wenn du ein Konto erstellst; wir speichern, welche Fassung das war. Sie gelten für Privatpersonen (Verbraucher) und für Unternehmen; wo nur eine der beiden Gruppen gemeint ist, steht das dabei. Eigene Bedingungen von dir gelten nicht. Gäste, die ein Foto öffnen, schließen keinen Vertrag mit uns; [Ziffer](#content) sagt, was sie dürfen.',
  ],
}

const service: LegalSection = {
  id: 'service',
  title: 'Was du bekommst',
  blocks: ({ values: v }) => [
    'Du lädst Fotos hoch. Jedes bekommt eine Seite und zwei QR-Codes: einen zum Herunterladen und einen, um das Foto per E-Mail anzufordern. Wer einen Code scannt, bekommt das Foto so, wie du es eingestellt hast. Dein großer Bildschirm zeigt das neueste.',
    {
      table: {
        caption: 'Tarife',
        head: ['Tarif', 'Preis', 'Fotos im Monat', 'Speicher', 'Größte Datei'],
        rows: [
          ['Free', '$0', `${v.freePhotos}`, `${v.freeStorageGb} GB`, `${v.freeFileMb} MB`],
          [
            'Pro Monthly',
            `${dollars(v.monthlyCents)} im Monat`,
            `${v.monthlyPhotos}`,
            `${v.monthlyStorageGb} GB`,
            `${v.monthlyFileMb} MB`,
          ],
          [
            'Pro Yearly',
            `${dollars(v.yearlyCents)} im Jahr`,
            `${v.yearlyPhotos}`,
            `${v.yearlyStorageGb} GB`,
            `${v.yearlyFileMb} MB`,
          ],
        ],
      },
    },
    `Die Preise sind in US-Dollar. Die Pro-Tarife bieten zusätzlich ein eigenes Logo, einen eigenen Hintergrund und ein eigenes Wasserzeichen, Nutzungsstatistiken und bevorzugten Support, Pro Yearly außerdem API-Zugang. QR-Codes sind in jedem Tarif unbegrenzt. Die Seite [Preise](${paths.pricing}) vergleicht die Tarife.`,
    '**Über einem Limit.** Ein Foto, das die Monatszahl oder den Speicher überschreitet, wird mit Angabe des Grundes abgelehnt und wartet in deinem Browser; es wird hochgeladen, wenn der nächste Monat beginnt, wenn du Fotos löschst oder mit einem größeren Tarif. Eine zu große Datei wartet auf einen Tarif, der sie zulässt. Bereits gespeicherte Fotos bleiben, und ihre Codes funktionieren weiter. Monate sind Kalendermonate in UTC; ein gelöschtes Foto zählt für seinen Monat.',
    `**Faire Nutzung.** Zum Schutz aller gibt es Limits pro Minute (etwa ${v.uploadsPerMinute} Uploads eines Kontos und ${v.authPerMinute} Anmeldeversuche von einem Ort aus), Limits für E-Mails an Gäste und für Dateien, deren Verarbeitung lange dauert. Wenn du eines erreichst, sagen wir dir, was du tun kannst.`,
  ],
}

const account: LegalSection = {
  id: 'account',
  title: 'Dein Konto',
  blocks: () => [
    'Du musst volljährig sein oder die Erlaubnis eines Elternteils oder Vormunds haben. Die E-Mail-Adresse muss deine eigene sein und stimmen: Wir schreiben dorthin über deinen Tarif und deine Fotos. Behalte das Passwort für dich und sag uns Bescheid, wenn jemand anders es hat. Du bist dafür verantwortlich, was mit deinem Konto geschieht, außer es liegt an uns oder du hast uns Bescheid gesagt.',
    'Ein Konto ist für eine Person oder ein Unternehmen. Du darfst andere damit arbeiten lassen, auf deine Verantwortung.',
  ],
}

const money: Record<LegalContext['site']['payments'], string> = {
  stripe:
    '**Zahlung.** Tarife werden im Voraus per Karte bezahlt, auf der Seite unseres Zahlungsanbieters Stripe. Mehr als den Preis in der Tabelle zahlst du nicht: Mehrwertsteuer ist enthalten, wo sie anfällt, und es gibt keine Einrichtungsgebühr. Der Zahlungsanbieter stellt für jede Zahlung eine Rechnung aus.',
  demo: '**Demo: Es fließt kein Geld.** Auf dieser Website sind Zahlungen eine Vorführung. Es wird nach keiner Karte gefragt, nichts abgebucht und nichts erstattet; das Folgende zeigt, was sonst gelten würde.',
  off: '**Diese Website verkauft keine Tarife.** Ihr Betreiber kann dir ohne Zahlung einen größeren Tarif geben. Das Folgende würde gelten, wenn Tarife verkauft würden.',
}

const payment: LegalSection = {
  id: 'payment',
  title: 'Preis, Verlängerung und Kündigung',
  blocks: ({ values: v, site }) => [
    money[site.payments],
    `**Verlängerung.** Ein bezahlter Tarif läuft von selbst weiter, jeweils einen Monat oder ein Jahr zum selben Preis, bis du kündigst. Kündigen kannst du jederzeit in den [Einstellungen](${paths.settings}), bis zum letzten Tag, ohne Grund und ohne Gebühr. Du behältst den Tarif bis zum Ende des bezahlten Zeitraums, und es wird nichts mehr abgebucht. Bis dahin kannst du die Kündigung zurücknehmen.`,
    '**Wechsel.** Zwischen monatlich und jährlich kannst du jederzeit wechseln; der Wechsel gilt sofort. Was vom bezahlten Zeitraum übrig ist, wird auf den neuen Preis angerechnet. Ist es mehr, deckt der Rest deine nächsten Zahlungen, solange das Abo läuft.',
    `**Eine fehlgeschlagene Zahlung.** Dein Tarif läuft ${v.graceDays} Tage weiter, während die Zahlung erneut versucht wird, und wir sagen dir, wie du das in Ordnung bringst. Danach hast du den Tarif Free. Kündigst du, während eine Zahlung fehlt, endet der Tarif sofort, und diese Zahlung wird nicht mehr verlangt.`,
    '**Neue Preise** gelten nur für Tarife, die beginnen oder sich verlängern, nachdem wir sie nach [Ziffer](#changes) angekündigt haben.',
    '**Ein geschenkter Tarif**, den wir dir ohne Zahlung geben, endet an dem Tag, den wir nennen, oder wenn wir ihn zurücknehmen.',
  ],
}

const refund: LegalSection = {
  id: 'refund',
  title: 'Geld zurück und Widerrufsrecht',
  blocks: ({ values: v }) => [
    `**${v.refundDays} Tage Geld-zurück-Garantie.** Innerhalb von ${v.refundDays} Tagen nach deiner ersten Zahlung kannst du alles zurückbekommen, was du bezahlt hast, ohne Grund: „Geld zurückfordern“ in den [Einstellungen](${paths.settings}). Es geht zurück auf die Karte, von der es kam. Dein Tarif endet sofort, und du hast dann Free; für deine Fotos gilt [Ziffer](#end). Wir bieten das einmal pro Kunde an, Verbrauchern und Unternehmen.`,
    '**Widerrufsrecht der Verbraucher.** Als Verbraucher kannst du einen bezahlten Vertrag innerhalb von 14 Tagen nach seinem Abschluss ohne Grund widerrufen (Artikel VI.47 und folgende des belgischen Wirtschaftsgesetzbuchs). Die Garantie oben geht weiter und ist der einfachste Weg. Bei einem Vertrag, für den sie nicht gilt, etwa einem zweiten, teilst du es uns innerhalb dieser Frist in klaren Worten mit, zum Beispiel per E-Mail. Du bekommst dann alles zurück, was du für diesen Vertrag bezahlt hast, spätestens 14 Tage nach deiner Mitteilung und auf demselben Zahlungsweg; für die Tage, an denen du ihn genutzt hast, behalten wir nichts ein.',
    {
      contact: 'operator',
      before: 'Widerrufe mit einer Nachricht an',
      after:
        'Du kannst schreiben: „Ich widerrufe meinen Vertrag über den Tarif … vom (Datum). Name, E-Mail-Adresse des Kontos, Datum.“',
    },
  ],
}

const content: LegalSection = {
  id: 'content',
  title: 'Deine Fotos, und was nicht erlaubt ist',
  blocks: ({ values: v }) => [
    '**Deine Fotos bleiben deine.** Du gibst uns nur das Recht, sie zu speichern, umzuwandeln, zu zeigen und zu verschicken, soweit der Dienst es braucht und solange sie hier gespeichert sind. Wir verwenden sie für nichts anderes: nicht für Werbung und nicht, um Maschinen zu trainieren.',
    '**Du bist für das verantwortlich, was du hochlädst.** Du hast das Recht, es zu teilen, und die Menschen darauf wissen davon oder haben zugestimmt, wie das Gesetz es verlangt. Sag ihnen, zum Beispiel auf dem Bildschirm oder am Eingang, wer die Fotos macht und was mit ihnen geschieht.',
    '**Nicht erlaubt**: was gegen Gesetze oder die Rechte anderer verstößt; sexuelle Darstellungen Minderjähriger, Hass, Drohungen; Bilder aus dem Intimbereich von Menschen ohne ihre Einwilligung; Schadsoftware; E-Mails an Menschen, die nicht darum gebeten haben; ohne unsere Zustimmung nach Sicherheitslücken zu suchen, Limits zu umgehen oder den Dienst so zu belasten, dass andere darunter leiden; den Dienst ohne Vereinbarung mit uns als deinen eigenen weiterzuverkaufen.',
    '**Gäste** dürfen ein Foto öffnen, speichern und verwenden, soweit sein Eigentümer und das Gesetz es erlauben; ein Code gibt ihnen kein weiteres Recht daran. Sie dürfen es melden.',
    `**Meldungen.** Alle können ein Foto auf dessen Seite melden, mit einem Grund und einer Anmerkung; je Grund werden ${v.openReports} offene Meldungen aufbewahrt. Der Eigentümer erfährt davon und kann das Foto ausblenden oder sichtbar lassen. Auch wir sehen uns gemeldete Fotos an: Was rechtswidrig ist oder gegen diese Bedingungen verstößt, blenden wir für Gäste aus. In schweren oder wiederholten Fällen schließen wir das Konto. Der Eigentümer sieht, was entschieden wurde, und kann per E-Mail antworten; ein Mensch prüft es dann noch einmal. Über Inhalte entscheidet keine Maschine.`,
  ],
}

const end: LegalSection = {
  id: 'end',
  title: 'Wenn ein Tarif oder das Konto endet',
  blocks: ({ values: v }) => [
    `**Wenn ein bezahlter Tarif endet**, hast du den Tarif Free. Codes funktionieren weiter. Logo, Hintergrund, Wasserzeichen, Statistik und API-Zugang enden. Für das, was bleibt, zählt nur der Speicher: Deine Fotos bleiben ${v.keepDays} Tage erhalten. Brauchen sie dann mehr als die ${v.freeStorageGb} GB des Tarifs Free, werden die ältesten entfernt, bis der Rest passt. Vorher schicken wir ${v.keepEmails} E-Mails (an den Tagen ${v.keepEmailDays}) mit der Anzahl der Fotos, dem Tag und einem Link zu einer Datei mit allen. Noch ${v.undoRemovalDays} Tage nach dem Entfernen kannst du es rückgängig machen, soweit Platz ist.`,
    `**Du kannst jederzeit gehen**: „Daten exportieren“ und „Mein Konto löschen“ in den [Einstellungen](${paths.settings}). Das Löschen beendet auch ein Abo und lässt sich nicht rückgängig machen; was bezahlt ist, wird dann nicht erstattet, außer nach [Ziffer](#refund).`,
    `**Wir können den Vertrag kündigen**, per E-Mail und mindestens ${v.noticeDays} Tage im Voraus, und erstatten dann, was du für die Zeit danach bezahlt hast. Aus wichtigem Grund, etwa bei einem schweren Verstoß gegen [Ziffer](#content) oder einer betrügerischen Zahlung, dürfen wir dein Konto sofort schließen; deine Daten kannst du dann noch bekommen, außer ein Gesetz verbietet es. Beenden wir einen Tarif, ohne dass du einen Grund gegeben hast, bekommst du den Anteil des Preises für den Rest des Zeitraums zurück.`,
  ],
}

/** Die AGB auf Deutsch, eine Übersetzung. */
export const text: LegalText = {
  translation:
    'Dieser Text ist eine Übersetzung. Verbindlich sind nur die niederländische und die englische Fassung der AGB; bei Abweichungen gelten sie.',
  summary: ({ values: v }) => [
    'Deine Fotos bleiben deine.',
    `Kündige jederzeit. Innerhalb von ${v.refundDays} Tagen nach der ersten Zahlung bekommst du auf Wunsch alles zurück, einmal.`,
    `Nach dem Ende eines bezahlten Tarifs bleiben deine Fotos ${v.keepDays} Tage erhalten; dann werden die ältesten entfernt, bis der Rest in den Tarif Free passt.`,
    'Es gilt belgisches Recht. Was das Gesetz Verbrauchern gibt, bleibt ihnen.',
  ],
  sections: [parties, service, account, payment, refund, content, end, ...processing],
}
