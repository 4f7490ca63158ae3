import { billingLimits, withdrawalLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/withdrawals.ts'

const { withdrawalDays, refundDays } = billingLimits

export const withdrawal: typeof english.withdrawal = {
  title: 'Vertrag widerrufen',
  lead: `Innerhalb von ${withdrawalDays} Tagen nach Abschluss eines Vertrags über einen bezahlten Tarif kannst du ihn ohne Angabe von Gründen widerrufen. Du bekommst zurück, was du dafür bezahlt hast. Ein Wechsel zwischen monatlich und jährlich ist ein eigener Vertrag.`,
  own: {
    heading: 'Dein Vertrag',
    plan: 'Tarif',
    made: 'Geschlossen am',
    invoice: 'Rechnung',
    until: 'Widerruf bis',
    date: (date) => date,
    contract: (plan, date, invoice) => `${plan}, geschlossen am ${date}, Rechnung ${invoice}`,
    other: 'Einen anderen Vertrag widerrufen',
    back: 'Meinen aktuellen Vertrag widerrufen',
  },
  none: 'Dein Konto hat zurzeit keinen bezahlten Vertrag. Wenn du einen anderen meinst, sag, welchen.',
  over: (date) => `Die ${withdrawalDays} Tage für diesen Vertrag waren am ${date} vorbei.`,
  moneyBack: (date) => `Bis zum ${date} kannst du in den Einstellungen noch dein Geld zurückfordern, einmal pro Konto.`,
  later: `Nach diesen Tagen gilt vielleicht noch die Geld-zurück-Garantie von ${refundDays} Tagen: einmal pro Konto, in den Einstellungen.`,
  settings: 'Einstellungen öffnen',
  offerFailed:
    'Dein Vertrag konnte nicht geladen werden. Du kannst trotzdem widerrufen: Sag, welchen Vertrag du meinst.',
  earlier: (when) => `Du hast am ${when} einen Vertrag widerrufen.`,
  signedOut: 'Hast du ein Konto?',
  signIn: 'Melde dich an',
  signInHint: 'damit alles ausgefüllt ist. Du kannst auch ohne Anmeldung widerrufen.',
  fields: { name: 'Name', email: 'E-Mail', contract: 'Welcher Vertrag' },
  emailHint: 'Die Adresse deines Kontos. Die Empfangsbestätigung geht dorthin.',
  contractHint: 'Der Tarif und wann du ihn gewählt hast, oder die Nummer der Rechnung.',
  problems: {
    name: { missing: 'Bitte gib deinen Namen ein', long: (most) => `Bitte verwende höchstens ${most} Zeichen` },
    contract: {
      missing: 'Bitte sag, welcher Vertrag: der Tarif und sein Datum, oder die Nummer einer Rechnung',
      long: (most) => `Bitte verwende höchstens ${most} Zeichen`,
    },
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
  next: 'Vertrag widerrufen',
  confirm: {
    heading: 'Bestätige deinen Widerruf',
    lead: 'Noch ist nichts geschehen. Mit der Schaltfläche unten erklärst du:',
    declaration: 'Ich widerrufe diesen Vertrag.',
    own: (plan) =>
      `${plan} endet sofort. Du bekommst zurück, was du für diesen Vertrag bezahlt hast, innerhalb von ${withdrawalLimits.decideDays} Tagen und auf demselben Zahlungsweg.`,
    email:
      'Wir schicken eine Empfangsbestätigung an diese Adresse. Gehört sie zu einem Konto mit einem Vertrag, führt die Empfangsbestätigung zu einer Seite, die den Tarif beendet und das Geld zurückzahlt.',
    photos:
      'Deine Fotos bleiben vorerst. Brauchen sie mehr Platz, als Free hat, schreiben wir dir, bevor welche entfernt werden.',
    submit: 'Widerruf bestätigen',
    sending: 'Wird widerrufen',
    back: 'Zurück',
  },
  failed: 'Dein Widerruf wurde nicht erklärt.',
  offline: 'Du scheinst offline zu sein. Prüfe deine Verbindung und versuche es noch einmal.',
  tryAgain: 'Bitte versuche es noch einmal.',
  stillHere: 'Was du eingegeben hast, ist noch da.',
  orEmail: 'Ein Widerruf per E-Mail gilt genauso. Schreib an',
  made: {
    heading: 'Du hast widerrufen',
    at: (when) => `Dein Widerruf wurde am ${when} erklärt.`,
    receipt: 'Eine Empfangsbestätigung mit deiner Erklärung, Datum und Uhrzeit ist unterwegs an',
    ended: 'Dein bezahlter Tarif ist beendet.',
    onItsWay: 'Dein Geld ist unterwegs.',
    refunded: (amount) =>
      `Wir haben ${amount} zurückgezahlt; deine Bank braucht vielleicht einige Tage, bis sie es anzeigt.`,
    nothing: 'Es war nichts mehr zurückzuzahlen.',
    demo: 'Demo: Es fließt kein Geld.',
    late: (date) =>
      `Die ${withdrawalDays} Tage für diesen Vertrag waren am ${date} vorbei, dein Tarif läuft also weiter. Wir heben deinen Widerruf auf und sehen ihn uns an.`,
    email:
      'Die Empfangsbestätigung sagt, was folgt. Gehört zu dieser Adresse ein Vertrag, drücke die Schaltfläche auf der Seite, zu der die Empfangsbestätigung führt: Sie beendet den Tarif und zahlt das Geld zurück. Tust du es nicht, tun wir es.',
    spam: 'Nach einigen Minuten noch keine Empfangsbestätigung? Sieh im Spam-Ordner nach und prüfe die Adresse.',
    settings: 'Zu den Einstellungen',
    home: 'Zur Startseite',
  },
}
