import type { guest as english } from '../en/guest.ts'

export const guest: typeof english = {
  titles: {
    request: 'Hol dir dein Foto',
    photo: 'Dein Foto',
    sample: 'Beispielbild',
    reported: 'Foto melden',
    gone: 'Foto nicht verfügbar',
    expired: 'Link abgelaufen',
    unsubscribe: 'E-Mails mit Fotos',
    unknown: 'Link ungültig',
    unavailable: 'Gerade nicht verfügbar',
  },
  descriptions: {
    request: 'Gib deine E-Mail-Adresse ein, und wir schicken dir das Foto.',
    photo: 'Dein Foto liegt für dich bereit.',
    sample: 'Ein Beispielbild: So bekommen Gäste ihre Fotos.',
    other: 'Code scannen, Foto bekommen.',
  },
  yourPhoto: 'Dein Foto',
  madeWith: 'Gemacht mit',
  request: {
    heading: 'Wohin dürfen wir dein Foto schicken?',
    label: 'Deine E-Mail-Adresse',
    placeholder: 'name@example.com',
    send: 'Foto senden',
    sending: 'Wird gesendet',
    cancel: 'Abbrechen',
    consent: 'Wir verwenden deine Adresse, um dieses Foto zu senden, und für nichts anderes.',
    privacy: 'Datenschutz',
    failed: 'Das hat leider nicht geklappt. Bitte versuch es später noch einmal.',
    offline: 'Du bist anscheinend offline. Prüfe deine Verbindung und versuch es noch einmal.',
    problems: {
      missing: 'Bitte gib deine E-Mail-Adresse ein',
      at: 'Gib eine vollständige Adresse ein, zum Beispiel name@example.com',
      ending: 'Der Adresse fehlt die Endung, zum Beispiel .de',
      several: 'Bitte gib nur eine Adresse ein',
      space: 'Die Adresse enthält ein Leerzeichen',
      characters: 'Die Adresse enthält unzulässige Zeichen',
      long: 'Die Adresse ist zu lang',
      form: 'Das sieht nicht nach einer E-Mail-Adresse aus',
    },
    honeypot: 'Bitte leer lassen',
    emailOff: {
      heading: 'Hier können noch keine Fotos verschickt werden',
      lead: 'E-Mail ist hier nicht eingerichtet. Frag die Person, von der du den Code hast, wie du anders an das Foto kommst.',
    },
  },
  sent: {
    heading: 'Anfrage gesendet!',
    toast: 'Deine Anfrage ist angekommen! Bitte sieh in deinem Posteingang nach.',
    onItsWay: 'Dein Foto ist unterwegs an',
    arrival: 'Meist ist es in einer Minute da. Wenn viele Gäste gleichzeitig anfragen, dauert es etwas länger.',
    afterProcessing: 'Wir schicken es, sobald das Foto fertig ist.',
    spam: 'Nichts angekommen? Sieh im Spam-Ordner nach und prüfe die Adresse oben.',
    another: 'An eine andere Adresse senden',
  },
  wait: {
    processing: 'Noch in Arbeit.',
    automatic: 'Es erscheint hier von selbst.',
    ready: 'Dein Foto ist fertig.',
    checkAgain: 'Jetzt nachsehen',
  },
  save: {
    download: 'Herunterladen',
    save: 'Speichern',
    fetching: 'Dein Foto wird geholt',
    tapAgain: 'Dein Foto ist bereit. Tippe noch einmal auf „Speichern“.',
    nothingHappened: 'Nichts passiert? Halte den Finger auf das Foto, oder öffne diese Seite in deinem Browser.',
    downloadFile: 'Datei herunterladen',
    share: 'Teilen',
    expires: 'Link gültig bis',
  },
  sample: {
    note: 'Ein Beispielbild. Bei einer Feier speichern Gäste hier ihr eigenes Foto.',
    demo: 'Zum großen Bildschirm',
  },
  gone: {
    photo: {
      heading: 'Wir können dieses Foto nicht zeigen',
      reason: 'Vielleicht gibt es das Foto nicht mehr, oder es ist privat.',
      advice: 'Wenn du meinst, dass du es haben solltest, frag die Person, die es gemacht hat.',
    },
    expired: {
      heading: 'Dieser Link ist abgelaufen',
      advice: (hours: number) =>
        `Links zu Fotos gelten ${hours} Stunden. Scanne den Code noch einmal, dann bekommst du einen neuen.`,
    },
    unsubscribe: {
      heading: 'Dieser Link ist ungültig',
      advice:
        'Vielleicht fehlt ein Teil davon. Öffne ihn noch einmal aus der E-Mail, oder kopiere den ganzen Link in deinen Browser.',
    },
    unavailable: {
      heading: 'Einen Moment bitte',
      advice: 'Diese Seite kann gerade nicht gezeigt werden. Nichts ist verloren: Sie lädt von selbst neu.',
      sendAgain: 'Das konnte gerade nicht gesendet werden. Bitte geh zurück und sende es in einer Minute noch einmal.',
    },
    home: 'Zur Startseite',
  },
  unsubscribe: {
    ask: {
      heading: 'Keine Fotos mehr bekommen?',
      lead: (host: string) =>
        `Jemand hat deine E-Mail-Adresse auf einer Fotoseite von ${host} eingegeben. ` +
        `Mit einem Klick auf den Knopf sorgst du dafür, dass ${host} keine Fotos mehr an diese Adresse schickt.`,
      note: 'Du kannst das hier rückgängig machen. E-Mails zu deinem eigenen Konto sind davon nicht betroffen.',
      button: 'Keine Fotos mehr schicken',
    },
    stopped: {
      heading: 'Du bekommst keine Fotos mehr',
      lead: (host: string) => `${host} schickt keine Fotos mehr an deine Adresse, auch wenn jemand sie anfordert.`,
      note: 'Wenn du es dir anders überlegst, öffne den Link in der E-Mail noch einmal.',
      button: 'Fotos wieder erlauben',
    },
    allowed: {
      heading: 'Du bekommst wieder Fotos',
      lead: (host: string) =>
        `Wenn jemand deine Adresse auf einer Fotoseite von ${host} eingibt, schicken wir das Foto dorthin.`,
      note: 'Mit dem Link in jeder dieser E-Mails kannst du sie wieder abbestellen.',
    },
  },
  report: {
    open: 'Foto melden',
    heading: 'Was stimmt mit diesem Foto nicht?',
    reasons: {
      me: 'Ich bin darauf zu sehen und möchte das nicht',
      child: 'Es zeigt ein Kind, das nicht gezeigt werden soll',
      hurtful: 'Es ist verletzend oder herabwürdigend',
      illegal: 'Es könnte verboten sein',
      other: 'Etwas anderes',
    },
    note: 'Möchtest du etwas dazu sagen? (freiwillig)',
    send: 'Meldung senden',
    sending: 'Wird gesendet',
    choose: 'Bitte wähle einen Grund.',
    failed: 'Die Meldung konnte nicht gesendet werden. Bitte versuch es noch einmal.',
    thanks: 'Danke',
    thanksLead:
      'Deine Meldung ist bei der Person angekommen, die für dieses Foto verantwortlich ist. Sie erfährt nicht, von wem die Meldung kommt.',
    back: 'Zurück zum Foto',
  },
}
