import type { apiKeys as english } from '../en/api-keys.ts'

export const apiKeys: typeof english = {
  name: 'API-Zugang',
  lead: 'Für Fotoboxen, Kameras und deine eigene Website.',
  heading: 'Direkt aus der Fotobox hochladen',
  partOf: (plan: string) => `API-Schlüssel gehören zu ${plan}.`,
  waiting: (count: string, one: boolean) =>
    one
      ? 'Dein Schlüssel funktioniert zurzeit nicht. Mit dem passenden Tarif funktioniert er wieder.'
      : `Deine ${count} Schlüssel funktionieren zurzeit nicht. Mit dem passenden Tarif funktionieren sie wieder.`,
  action: 'Tarife ansehen',
  documentation: 'API-Dokumentation',
  list: 'API-Schlüssel',
  loadFailed: 'Deine API-Schlüssel konnten nicht geladen werden.',
  empty: 'Noch keine Schlüssel. Mit einem Schlüssel lädt eine Fotobox oder Kamera von selbst hoch.',
  createFirst: 'Ersten Schlüssel erstellen',
  create: 'Neuer Schlüssel',
  scope: 'Ein Schlüssel darf dein Konto und deine Fotos lesen und neue Fotos hochladen. Mehr nicht.',
  createdOn: (date: string) => `erstellt am ${date}`,
  expiresOn: (date: string) => `Läuft am ${date} ab`,
  expired: 'Abgelaufen',
  neverUsed: 'Nie benutzt',
  usedNow: 'Gerade eben benutzt',
  usedMinutesAgo: (minutes: string) => `Vor ${minutes} Minuten benutzt`,
  usedToday: (time: string) => `Heute benutzt, ${time} Uhr`,
  notUsedSince: (date: string) => `Zuletzt benutzt am ${date}`,
  deleteOne: (name: string) => `Schlüssel ${name} löschen`,
  creation: {
    title: 'API-Schlüssel erstellen',
    lead: 'Benenne ihn nach dem Gerät, das ihn benutzt. Dann weißt du später, welchen du löschen willst.',
    label: 'Name',
    placeholder: 'Zum Beispiel: Fotobox im Saal',
    expiry: 'Läuft ab',
    expiryNever: 'Nie',
    expiryDays: (days: string) => `In ${days} Tagen`,
    expiryYear: 'In einem Jahr',
    submit: 'Schlüssel erstellen',
    created: 'API-Schlüssel erstellt',
    failed: 'Der API-Schlüssel konnte nicht erstellt werden',
  },
  newKey: {
    title: (name: string) => `Der neue Schlüssel ${name}`,
    copyNow: 'Kopiere den Schlüssel jetzt. Er wird nur einmal angezeigt.',
    key: 'Der Schlüssel',
    example: 'So lädst du damit ein Foto hoch:',
    command: 'Der Befehl',
    done: 'Fertig',
  },
  deletion: {
    title: 'Diesen Schlüssel löschen?',
    question: (name: string) =>
      `Alles, was „${name}“ benutzt, funktioniert ab sofort nicht mehr und braucht einen neuen Schlüssel. Damit hochgeladene Fotos bleiben.`,
    keep: 'Schlüssel behalten',
    confirm: 'Schlüssel löschen',
    deleted: 'API-Schlüssel gelöscht',
    failed: 'Der API-Schlüssel konnte nicht gelöscht werden',
  },
}
