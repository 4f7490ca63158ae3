import { paths } from '../../../../lib/paths.ts'
import type { LegalBlock, LegalContext, LegalSection, LegalText } from '../legal-text.ts'
import { type DeviceKey, deviceKeys, recordIds } from './inventory.ts'
import { deviceStorage, records } from './privacy-records-de.ts'

const places: Record<(typeof deviceKeys)[DeviceKey], string> = {
  browser: 'lokaler Speicher',
  database: 'IndexedDB',
  cookie: 'Cookie',
  tab: 'Sitzungsspeicher',
}

const who: LegalSection = {
  id: 'who',
  title: 'Wer wir sind',
  blocks: () => [
    'Diese Website wird vom unten genannten Unternehmen betrieben („wir“). Es ist der Verantwortliche für Konten, Zahlungen, Meldungen von Gästen und diese Website.',
    { operator: { name: 'Unternehmen', address: 'Adresse', vat: 'MwSt.-Nummer', email: 'E-Mail' } },
    `**Fotos und Gäste.** Wer ein Foto hochlädt („der Eigentümer“: jemand, der fotografiert, eine Location, Gastgeber), entscheidet, warum es gemacht wird und wer es bekommt. Für Fotos und für die Adressen von Gästen, die eines anfordern, ist der Eigentümer der Verantwortliche und sind wir der Auftragsverarbeiter: Wir speichern und verschicken sie in seinem Auftrag, wie es in den [AGB](${paths.terms}) steht. Du darfst uns immer schreiben; was nur der Eigentümer entscheiden kann, geben wir an ihn weiter.`,
    'Wir haben keinen Datenschutzbeauftragten, weil das Gesetz hier keinen verlangt. Fragen zu deinen Daten erreichen uns unter der Adresse oben.',
  ],
}

const what: LegalSection = {
  id: 'what',
  title: 'Was wir speichern, warum und wie lange',
  blocks: (context) => {
    const rows = records(context)
    return [
      'Jede Zeile sagt, was gespeichert wird, warum und auf welcher Rechtsgrundlage der DSGVO, und wie lange. Du gibst diese Daten selbst an, oder sie entstehen bei der Nutzung des Dienstes; wir kaufen keine Daten und holen keine von anderswo. Ohne E-Mail-Adresse und Passwort gibt es kein Konto; ohne Adresse können wir kein Foto schicken. Alles andere entscheidest du.',
      {
        table: {
          caption: 'Was wir speichern, warum und wie lange',
          head: ['Was', 'Warum', 'Wie lange'],
          rows: recordIds.map((id) => rows[id]),
        },
      },
      'In Fotos wird nicht nach Gesichtern gesucht. Keine Maschine entscheidet über einen Menschen, und von niemandem wird ein Profil erstellt.',
      'Ein Konto, das ein Betreiber geschlossen hat, kann nicht mehr benutzt werden, und andere können seine Fotos nicht öffnen. Dadurch wird nichts gelöscht; du kannst von uns deine Daten oder ihre Löschung verlangen.',
    ]
  },
}

const guests: LegalSection = {
  id: 'guests',
  title: 'Wenn du Gast bist',
  blocks: ({ values: v }) => [
    '**Du brauchst kein Konto**, um ein Foto zu öffnen. Wir zählen, dass ein Foto geöffnet wurde, nicht, wer es geöffnet hat. Gastseiten speichern nichts auf deinem Gerät.',
    `**Wenn du deine E-Mail-Adresse angibst**, wird sie verwendet, um dir dieses Foto zu schicken, und für nichts anderes: keine Neuigkeiten, keine Liste für andere. Der Eigentümer des Fotos sieht deine Adresse neben dem Foto und kann diese Liste herunterladen. Die E-Mail enthält einen Link, der ${v.grantHours} Stunden funktioniert, und das Foto selbst, wenn es kleiner als ${v.attachMb} MB ist. An eine Adresse gehen höchstens ${v.emailsPerHour} solche E-Mails in der Stunde und ${v.emailsPerDay} am Tag. Nach ${v.requestDays} Tagen wird die Adresse hier gelöscht.`,
    '**Hat jemand anders deine Adresse eingegeben?** Jede E-Mail enthält einen Link, mit dem du alle E-Mails mit Fotos von dieser Website abbestellst, von jedem Eigentümer. Mit demselben Link kannst du das rückgängig machen. So widerrufst du auch deine Einwilligung; was bis dahin verschickt wurde, bleibt rechtmäßig.',
    '**Du bist auf einem Foto und willst das nicht?** Wähle „Foto melden“ auf seiner Seite und sag, warum. Der Eigentümer erfährt es sofort, kann das Foto für alle ausblenden und erfährt nicht, wer es gemeldet hat. Auch wir sehen gemeldete Fotos und blenden sie aus, wo das Gesetz oder die AGB es verlangen. Wenn du keinen Link zum Foto hast, schreib uns.',
    '**Kinder.** Konten sind für Erwachsene, oder mit Erlaubnis eines Elternteils. Ein Foto, das ein Kind zeigt, können alle melden, mit einem eigenen Grund dafür; Eltern können uns auch schreiben.',
  ],
}

const device: LegalSection = {
  id: 'device',
  title: 'Cookies und Speicher auf deinem Gerät',
  blocks: (context) => [
    'Was die Seiten zum Funktionieren brauchen, wird ohne Nachfrage auf deinem Gerät gespeichert, wie das Gesetz es erlaubt. Es bleibt dort: Nur das Token der Sitzung und die Sprache werden an uns gesendet.',
    {
      table: {
        caption: 'Was auf deinem Gerät gespeichert wird',
        head: ['Name', 'Zweck', 'Bis'],
        rows: Object.entries(deviceKeys).map(([key, place]) => [
          `${key} (${places[place]})`,
          ...deviceStorage(context)[key as DeviceKey], // the keys of the record's type
        ]),
      },
    },
    ...analytics(context.site),
  ],
}

const analytics = ({ analytics: provider, storage_host: store }: LegalContext['site']): LegalBlock[] => {
  const elsewhere = store === null ? '' : ', außer Fotos aus dem Speicher, den [Abschnitt](#others) nennt'
  if (provider === null)
    return [
      `**Statistik.** Diese Website hat keine Statistik: Es wird kein Programm geladen, das Besuche misst, was du im Cookie-Hinweis auch wählst. Seiten laden nichts von anderen Unternehmen${elsewhere}.`,
    ]
  const flag =
    provider.provider === 'plausible'
      ? '; wenn es pausiert, steht die Markierung plausible_ignore kurz im lokalen Speicher'
      : ''
  const [name, more] =
    provider.provider === 'matomo'
      ? ['Matomo', ', wie groß dein Bildschirm und wie spät es bei dir ist']
      : ['Plausible', '']
  return [
    `**Statistik, nur mit deiner Einwilligung.** Wenn du im Cookie-Hinweis die Statistik erlaubst, wird das Programm ${name} von ${provider.host} geladen. Es erfährt, welche Seite du öffnest (ohne Parameter und Kennungen), von welcher Website du kamst${more}, und was jede Anfrage mitteilt: IP-Adresse, Browser und Sprache. Wir sehen daran, wie viele Menschen welche Seite lesen. Es setzt keine Cookies${flag}. Bevor du zustimmst, wird von dort nichts geladen. Du kannst deine Einwilligung ebenso leicht widerrufen, mit dem Knopf für Cookies unten auf den Seiten; das Programm wird dann entfernt. Gastseiten und große Bildschirme haben keine Statistik. Sonst laden Seiten nichts von anderen Unternehmen${elsewhere}.`,
  ]
}

const others: LegalSection = {
  id: 'others',
  title: 'Wer sonst Daten bekommt',
  blocks: ({ site, values: v }) => [
    'Wir verkaufen keine Daten und zeigen keine Werbung. Daten gehen an:',
    {
      list: [
        '**Eigentümer von Fotos**: Adresse, Foto und Zeitpunkt einer Anfrage, und Meldungen ohne deinen Namen.',
        '**Menschen, die einen Code oder Link** eines Fotos haben: Sie sehen dieses Foto so, wie sein Eigentümer es will.',
        '**Das Unternehmen, das unseren Server betreibt**, wenn es nicht unser eigenes ist: alles, was gespeichert wird, um die Maschinen zu betreiben.',
        site.storage_host === null
          ? '**Fotos** sind Dateien auf diesem Server.'
          : `**Den Speicher der Fotos** auf ${site.storage_host}: Fotos, Vorschaubilder, Logos und Exporte. Dein Browser holt Fotos von dort, mit einer Adresse, die ${v.presignedSeconds} Sekunden funktioniert; der Speicher sieht also deine IP-Adresse.`,
        site.emails === 'smtp'
          ? '**Unseren E-Mail-Dienst und den des Empfängers**: die E-Mails, die wir senden.'
          : '**E-Mails** werden zurzeit nicht versendet: Sie liegen als Dateien auf unserem Server, bis sie gelöscht werden, wie die Tabelle in [Abschnitt](#what) sagt.',
        {
          stripe:
            '**Stripe**, unseren Zahlungsanbieter (für Europa: Stripe Payments Europe, Ltd., Irland): deine E-Mail-Adresse, die Nummer deines Kontos und was du auf der Bezahlseite eingibst. Stripe ist für das, was es prüfen und aufbewahren muss, selbst Verantwortlicher und kann Daten auch in den Vereinigten Staaten verarbeiten, im Rahmen des EU-US Data Privacy Framework und der Standardvertragsklauseln. [Datenschutzerklärung von Stripe](https://stripe.com/privacy).',
          demo: '**Zahlungen** sind hier eine Vorführung: Es fließt kein Geld, und es gehen keine Daten an einen Zahlungsanbieter.',
          off: '**Zahlungen**: Hier werden keine Tarife verkauft, es gehen also keine Daten an einen Zahlungsanbieter.',
        }[site.payments],
        ...(site.analytics === null
          ? []
          : [
              `**${site.analytics.host}**, wo Besuche gezählt werden: was [Abschnitt](#device) sagt, wenn du zugestimmt hast.`,
            ]),
        '**Programme, die ein Eigentümer** mit einem API-Schlüssel oder Webhook **verbindet**: Fotos, Dateinamen und Zeitpunkte dieses Eigentümers; nie die Adresse eines Gastes per Webhook.',
        '**Behörden und Gerichte**, wo ein Gesetz uns verpflichtet.',
      ],
    },
    'Unternehmen, die für uns arbeiten, tun das mit einem Vertrag und auf unsere Weisung. Wo Daten den Europäischen Wirtschaftsraum verlassen, geschieht das nur mit einer Garantie, die die DSGVO kennt; frag uns, welche das ist.',
  ],
}

const safety: LegalSection = {
  id: 'safety',
  title: 'Wie Daten geschützt werden',
  blocks: () => [
    'Passwörter, Tokens von Sitzungen, API-Schlüssel und Links werden als Hash gespeichert, die Geheimnisse von Webhooks verschlüsselt. Codes und Kennungen sind zufällig und lang. Die E-Mail-Einstellung und die Entscheidung, ein Foto auszublenden, schließen sofort jeden Weg zum Foto. Bilddateien werden in einem abgeschotteten Prozess geöffnet. Was Betreiber mit Konten tun, wird protokolliert (siehe die Tabelle oben). Wenn mit deinen Daten etwas schiefgeht und das für dich ein Risiko ist, sagen wir es dir und der Behörde, wie das Gesetz es verlangt.',
  ],
}

const rights: LegalSection = {
  id: 'rights',
  title: 'Deine Rechte',
  blocks: ({ values: v }) => [
    'Du kannst kostenlos:',
    {
      list: [
        `deine Daten **ansehen und mitnehmen**: „Daten exportieren“ in den [Einstellungen](${paths.settings}) erstellt eine Datei mit allem; ihr Link funktioniert ${v.exportDays} Tage.`,
        `sie **berichtigen**: in den [Einstellungen](${paths.settings}).`,
        `sie **löschen**: Foto für Foto, oder alles mit „Mein Konto löschen“ in den [Einstellungen](${paths.settings}). Konto, Fotos und Anfragen sind sofort weg; ein Auftrag entfernt danach die Dateien.`,
        `deine **Einwilligung widerrufen**: für E-Mails mit Neuigkeiten und Angeboten in den [Einstellungen](${paths.settings}) (zurzeit werden keine verschickt), für E-Mails mit Fotos über den Link in jeder von ihnen.`,
        'dem **widersprechen**, was wir aus berechtigtem Interesse tun, oder verlangen, dass wir es **einschränken**: Schreib uns und sag, warum.',
      ],
    },
    {
      contact: 'operator',
      before: 'Gäste und alle anderen schreiben an',
      after:
        'Wir antworten innerhalb eines Monats. Wir dürfen nach etwas fragen, das zeigt, dass die Daten deine sind, etwa einer E-Mail von dieser Adresse.',
    },
    '**Beschwerden.** Du kannst dich bei der belgischen Datenschutzbehörde beschweren (Gegevensbeschermingsautoriteit / Autorité de protection des données), Drukpersstraat 35 / Rue de la Presse 35, 1000 Brüssel, [www.dataprotectionauthority.be](https://www.dataprotectionauthority.be), contact@apd-gba.be, oder bei der Behörde des Landes, in dem du wohnst oder arbeitest. Du kannst auch vor Gericht gehen.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Änderungen',
  blocks: ({ values: v }) => [
    `Eine neue Fassung wird mindestens ${v.noticeDays} Tage, bevor sie gilt, auf dieser Seite veröffentlicht, mit dem, was sich ändert; früher nur, wenn das Gesetz es verlangt. Frühere Fassungen bleiben unten lesbar.`,
  ],
}

/** Die Datenschutzerklärung auf Deutsch, eine Übersetzung. */
export const text: LegalText = {
  translation:
    'Dieser Text ist eine Übersetzung. Verbindlich sind nur die niederländische und die englische Fassung der Datenschutzerklärung; bei Abweichungen gelten sie.',
  summary: ({ values: v }) => [
    'Wir speichern, was nötig ist, damit ein Foto zu dem Menschen kommt, der darauf ist, und nicht mehr.',
    `Die Adresse eines Gastes dient dem angeforderten Foto und wird nach ${v.requestDays} Tagen gelöscht.`,
    'Keine Werbung, kein Verkauf von Daten, keine Gesichtserkennung, von niemandem ein Profil.',
    'Du kannst alle deine Daten in den Einstellungen mitnehmen oder selbst löschen.',
  ],
  sections: [who, what, guests, device, others, safety, rights, changes],
}
