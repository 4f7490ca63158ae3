import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/support.ts'

export const supportEmails: typeof english.supportEmails = {
  received: {
    subject: 'Wir haben deine Nachricht bekommen',
    preview: 'Wir antworten per E-Mail.',
    lead: (host, when) => `Deine Nachricht an den Support von ${host} ist am ${when} Uhr angekommen.`,
    answer: 'Unsere Antwort geht per E-Mail an diese Adresse. Du musst nichts weiter tun.',
    reason: (host) =>
      `Du bekommst diese E-Mail, weil diese Adresse im Kontaktformular auf ${host} eingegeben wurde. ` +
      `Wenn du das nicht warst, kannst du diese E-Mail ignorieren.`,
  },
}

export const supportQuestions: typeof english.supportQuestions = {
  event: {
    heading: 'Auf dem Fest',
    questions: {
      connection: {
        question: 'Der Bildschirm hat keine Verbindung mehr. Was nun?',
        answer:
          'Lass Neuestes geöffnet. Das letzte Foto und sein Code bleiben auf dem Bildschirm, und die Verbindung kommt von selbst zurück. Fotos, die du inzwischen hochlädst, warten in der Upload-Liste. Dauert es länger als eine Minute, prüfe das Netzwerk des Computers: In Gastnetzen muss man sich oft nach einiger Zeit neu anmelden.',
      },
      scan: {
        question: 'Gäste scannen den Code, aber nichts öffnet sich',
        answer:
          'Ihr Handy braucht eine Verbindung, über die es diese Website erreicht. In den Einstellungen unter „Bereit für heute Abend?“ findest du einen Testcode, den du selbst scannen kannst. Achte darauf, dass sich keine Lampe im Bildschirm spiegelt und dass nichts den weißen Rand um den Code verdeckt.',
      },
      screens: {
        question: 'Kann ich die Fotos auf mehreren Bildschirmen zeigen?',
        answer: 'Ja. Melde dich auf jedem an und öffne Neuestes: Alle zeigen ein neues Foto, sobald es fertig ist.',
      },
      awake: {
        question: 'Wie bleibt der Bildschirm an?',
        answer:
          'Solange Neuestes geöffnet ist, bleibt der Bildschirm des Computers an. Fernseher und Beamer haben manchmal einen eigenen Abschalttimer: Schalte ihn vor dem Abend aus.',
      },
    },
  },
  photos: {
    heading: 'Fotos und Gäste',
    questions: {
      email: {
        question: 'Die E-Mail eines Gastes ist nicht angekommen',
        answer:
          'Unter Fotoanfragen siehst du, was aus jeder E-Mail geworden ist. Meistens liegt sie im Spam-Ordner, oder in der Adresse ist ein Tippfehler: Dann kann der Gast den Code noch einmal scannen. Eine fehlgeschlagene E-Mail kannst du dort noch einmal senden.',
      },
      link: {
        question: 'Wie lange funktioniert der Link in der E-Mail eines Gastes?',
        answer: `${limits.grantHours} Stunden, für dieses eine Foto und so oft der Gast möchte. Danach kann der Gast den Code noch einmal scannen.`,
      },
      remove: {
        question: 'Jemand möchte sein Foto entfernt haben',
        answer:
          'Öffne das Foto in der Galerie und blende es aus oder lösche es. Von da an können Gäste es nicht mehr öffnen, weder mit den Codes noch über Links in E-Mails. Gäste können ein Foto auch auf seiner Seite melden: Du bekommst eine E-Mail und entscheidest.',
      },
      addresses: {
        question: 'Was geschieht mit den E-Mail-Adressen der Gäste?',
        answer: `Sie werden verwendet, um das gewünschte Foto zu senden, für nichts anderes. Du siehst sie unter Fotoanfragen. Nach ${limits.requestDays} Tagen werden sie gelöscht.`,
      },
    },
  },
  account: {
    heading: 'Dein Konto',
    questions: {
      password: {
        question: 'Ich habe mein Passwort vergessen',
        answer: `Wähle „Passwort vergessen?“ auf der Anmeldeseite. Wir schicken dir einen Link, mit dem du ein neues festlegst. Er funktioniert ${accountLimits.resetMinutes} Minuten lang.`,
      },
      data: {
        question: 'Wie lade ich meine Daten herunter oder lösche mein Konto?',
        answer: `Beides findest du in den Einstellungen. Wir schicken dir einen Link zu einer Datei mit allem aus deinem Konto; er funktioniert ${accountLimits.exportDays} Tage lang. Ein gelöschtes Konto lässt sich nicht wiederherstellen: Deine Fotos sind weg und gedruckte Codes funktionieren nicht mehr.`,
      },
    },
  },
  plans: { heading: 'Tarif und Bezahlung' },
}

export const support: typeof english.support = {
  title: 'Hilfe',
  description: `Antworten auf Fragen zu ${productName} und ein Formular, mit dem du uns schreiben kannst.`,
  lead: 'Die meisten Fragen beantworten wir hier. Für alles andere: Schreib uns.',
  write: 'Schreib uns',
  questions: 'Fragen und Antworten',
  linkTo: (question) => `Link zu „${question}“`,
  fields: { name: 'Name', email: 'E-Mail', subject: 'Betreff', message: 'Nachricht' },
  charactersLeft: (_, written) => `Noch ${written} Zeichen`,
  charactersOver: (_, written) => `${written} Zeichen zu viel`,
  send: 'Nachricht senden',
  sendAgain: 'Noch einmal senden',
  sending: 'Wird gesendet',
  honeypot: 'Bitte leer lassen',
  privacy: 'Wir verwenden deinen Namen und deine Adresse, um dir zu antworten, für nichts anderes.',
  priority: 'Zu deinem Tarif gehört bevorzugter Support: Deine Nachricht kommt zuerst dran.',
  problems: {
    name: { missing: 'Bitte gib deinen Namen ein', long: (most) => `Bitte höchstens ${most} Zeichen` },
    subject: { missing: 'Bitte gib einen Betreff ein', long: (most) => `Bitte höchstens ${most} Zeichen` },
    message: { missing: 'Bitte schreib eine Nachricht', long: (most) => `Bitte höchstens ${most} Zeichen` },
    email: {
      missing: 'Bitte gib deine E-Mail-Adresse ein',
      at: 'Gib eine vollständige Adresse ein, zum Beispiel name@example.com',
      ending: 'Der Adresse fehlt die Endung, zum Beispiel .de',
      several: 'Bitte gib nur eine Adresse ein',
      space: 'Die Adresse enthält ein Leerzeichen',
      characters: 'Die Adresse enthält unzulässige Zeichen',
      long: 'Die Adresse ist zu lang',
      form: 'Das sieht nicht nach einer E-Mail-Adresse aus',
    },
  },
  failed: 'Deine Nachricht wurde nicht gesendet.',
  offline: 'Du scheinst offline zu sein. Prüfe deine Verbindung und versuch es noch einmal.',
  tryAgain: 'Bitte versuch es später noch einmal.',
  tooMany: (wait) => `Aus deinem Netzwerk kamen zu viele Nachrichten. Bitte versuch es in ${wait} noch einmal.`,
  waitMinutes: (minutes) => (minutes === 1 ? 'einer Minute' : `${minutes} Minuten`),
  waitHours: (hours) => (hours === 1 ? 'einer Stunde' : `${hours} Stunden`),
  stillHere: 'Dein Text ist noch da.',
  orEmail: 'Oder schreib uns eine E-Mail an',
  sent: {
    heading: 'Nachricht gesendet',
    answer: 'Wir haben deine Nachricht bekommen. Unsere Antwort geht per E-Mail an',
    spam: 'Keine Antwort? Sieh im Spam-Ordner nach und prüfe die Adresse oben.',
    another: 'Noch eine Nachricht schreiben',
    home: 'Zur Startseite',
    back: 'Zurück zur Hilfe',
  },
}
