import { paths } from '../../../../lib/paths.ts'
import type { LegalSection } from '../legal-text.ts'

const personalData: LegalSection = {
  id: 'data',
  title: 'Personenbezogene Daten',
  blocks: () => [
    `Die [Datenschutzerklärung](${paths.privacy}) sagt, was wir mit personenbezogenen Daten tun. Für Fotos und für die Adressen von Gästen, die eines anfordern, bist du der Verantwortliche und sind wir dein Auftragsverarbeiter, wenn die DSGVO für dich gilt. Dann ist diese Ziffer der Vertrag, den Artikel 28 der DSGVO verlangt:`,
    {
      list: [
        'Wir verarbeiten diese Daten nur, um Fotos so zu speichern, zu zeigen und zu verschicken, wie du es einstellst, solange sie hier gespeichert sind, und auf deine Weisung: Das sind deine Einstellungen und was du uns schreibst. Wenn wir meinen, dass eine Weisung gegen das Gesetz verstößt, sagen wir es dir.',
        'Sie betreffen die Menschen auf den Fotos und deine Gäste: Bilder, E-Mail-Adressen, Zeitpunkte. Du lädst keine Fotos hoch, für die das Gesetz mehr Schutz verlangt, als dieser Dienst bietet.',
        'Wer für uns mit diesen Daten arbeitet, ist zur Vertraulichkeit verpflichtet. Die Datenschutzerklärung sagt, wie wir sie schützen.',
        'Du bist damit einverstanden, dass wir Unternehmen der Arten einsetzen, die die Datenschutzerklärung nennt. Sie sind gebunden wie wir, und wir stehen für sie ein. Ein neues Unternehmen ist eine Änderung der Datenschutzerklärung, die wir ankündigen; wenn du widersprichst, kannst du den Vertrag beenden, bevor sie gilt.',
        'Wir helfen dir, Menschen zu antworten, die ihre Rechte ausüben, und bei einer Datenschutz-Folgenabschätzung, wenn du eine brauchst. Ist mit den Daten etwas passiert, sagen wir es dir unverzüglich.',
        'Du kannst die Daten jederzeit exportieren und löschen. Wenn das Konto endet, werden sie gelöscht.',
        'Wir geben dir, was du brauchst, um die Einhaltung nachzuweisen, und erlauben Prüfungen, nach Ankündigung und zu einer Zeit, die andere nicht stört.',
      ],
    },
  ],
}

const programs: LegalSection = {
  id: 'api',
  title: 'API und Schlüssel',
  blocks: ({ values: v }) => [
    `Mit Pro Yearly können deine Programme Fotos hochladen und lesen (siehe die [Dokumentation](${paths.apiDocs})) und per Webhook von Ereignissen erfahren. Schlüssel sind wie Passwörter: Halte sie geheim und lösche einen, den jemand anders haben könnte. Du kannst ${v.apiKeys} davon haben. Jeder Schlüssel erlaubt ${v.apiCallsPerMinute} Aufrufe in der Minute. Du bist für deine Programme verantwortlich und für die Server, die deine Webhooks erreichen. Aufrufe, die wir dokumentieren, ändern wir nur mit Ankündigung wie in [Ziffer](#changes), außer die Sicherheit verlangt Eile.`,
  ],
}

const availability: LegalSection = {
  id: 'availability',
  title: 'Verfügbarkeit',
  blocks: ({ values: v }) => [
    `Unser Ziel sind ${String(v.uptimePercent).replace('.', ',')} % Verfügbarkeit: dass Seiten und Codes in so viel Prozent der Minuten von ${v.uptimeDays} Tagen erreichbar sind. Das Programm misst das. Es ist ein Zielwert: Wird er verfehlt, gibt das kein Recht auf eine Gutschrift oder Entschädigung. Was das Gesetz dir gibt, wenn ein digitaler Dienst nicht wie vereinbart ist (für Verbraucher: Artikel 1701/1 und folgende des alten belgischen Zivilgesetzbuchs), bleibt.`,
    'Wartung und Störungen von Netzen und bei anderen können den Dienst unterbrechen. Behalte selbst eine Kopie von Fotos, die dir wichtig sind: Dieser Dienst ist dazu da, sie weiterzugeben, und kein Archiv.',
  ],
}

const liability: LegalSection = {
  id: 'liability',
  title: 'Haftung',
  blocks: () => [
    '**Immer und unbegrenzt** haften wir für Schäden, die wir vorsätzlich oder grob fahrlässig verursachen, für Verletzungen und Tod und überall dort, wo das Gesetz keine Begrenzung erlaubt. Die Rechte, die das Gesetz Verbrauchern gibt, ändern diese Bedingungen nicht.',
    '**Gegenüber Unternehmen** haften wir darüber hinaus für den unmittelbaren Schaden aus einer Verletzung dieses Vertrags, bis zu dem Betrag, den du für die zwölf Monate davor bezahlt hast, und nicht für entgangenen Gewinn, verlorene Kunden oder verlorene Daten, von denen du eine Kopie hättest behalten können, soweit das Gesetz es erlaubt.',
    'Niemand haftet für das, worauf er keinen Einfluss hat (höhere Gewalt).',
    'Machen andere Ansprüche gegen uns geltend, weil du etwas hochgeladen oder gegen [Ziffer](#content) verstoßen hast, ersetzt du uns den Schaden daraus, soweit dich ein Verschulden trifft.',
  ],
}

const law: LegalSection = {
  id: 'law',
  title: 'Recht, Gerichte und Beschwerden',
  blocks: () => [
    'Es gilt belgisches Recht. Ein Verbraucher, der in einem anderen Land der Europäischen Union wohnt, behält den Schutz, den das dortige Recht ihm gibt und von dem nicht abgewichen werden darf.',
    'Zuständig sind die Gerichte, die das belgische Recht bestimmt. Ein Verbraucher kann sich immer an das Gericht seines Wohnorts wenden.',
    {
      contact: 'support',
      before: 'Sag es zuerst uns, damit wir es in Ordnung bringen können:',
      after:
        'Verbraucher können sich auch an den belgischen Ombudsdienst für Verbraucher wenden (Consumentenombudsdienst / Service de Médiation pour le Consommateur), [consumerombudsman.be](https://consumerombudsman.be).',
    },
    'Diese Bedingungen gibt es auf Niederländisch und Englisch; beide Fassungen gelten. Weichen sie voneinander ab, gilt die für den Verbraucher günstigere, sonst die niederländische. Ist ein Teil davon unwirksam, bleibt der Rest bestehen.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Änderungen',
  blocks: ({ values: v }) => [
    `Wir dürfen diese Bedingungen aus gutem Grund ändern, etwa wegen eines neuen Gesetzes, einer neuen Funktion oder geänderter Kosten. Eine neue Fassung wird mindestens ${v.noticeDays} Tage, bevor sie gilt, auf dieser Seite veröffentlicht, mit dem, was sich ändert. Ändert sie etwas zu deinem Nachteil, schreiben wir auch an die E-Mail-Adresse deines Kontos. Du kannst den Vertrag beenden, bevor sie gilt, und bekommst dann den Anteil des Preises für die Zeit danach zurück. Was du vorher gekauft hast, bleibt, wie es war, bis der bezahlte Zeitraum endet. Frühere Fassungen bleiben unten lesbar.`,
  ],
}

/** Die Ziffern über Daten, Programme, Verfügbarkeit, Haftung und Recht. */
export const processing = [personalData, programs, availability, liability, law, changes] as const
