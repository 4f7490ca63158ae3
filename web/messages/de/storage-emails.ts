import type { storageEmails as english } from '../en/storage-emails.ts'

// Times come as `Dienstag, 17. November um 22:51`.
export const storageEmails: typeof english = {
  usage: {
    photosNearlyUsed: (used: string, limit: string) => `Du hast diesen Monat ${used} von ${limit} Fotos verbraucht`,
    photosUsed: (limit: string) => `Du hast alle ${limit} Fotos dieses Monats verbraucht`,
    storageNearlyFull: (used: string, limit: string) => `Du hast ${used} von ${limit} Speicher belegt`,
    storageFull: (limit: string) => `Dein Speicher von ${limit} ist voll`,
    preview: (planName: string) => `Was dein Tarif ${planName} enthält und wie du mehr bekommst.`,
    photosLead: (planName: string, limit: string) => `Dein Tarif ${planName} enthält ${limit} Fotos im Monat.`,
    photosUntil: (when: string) => `Ab ${when} Uhr wird neu gezählt.`,
    photosWait:
      'Bis dahin bleiben neue Fotos in deiner Upload-Liste. Sobald Platz ist, werden sie von selbst hochgeladen.',
    storageLead: (planName: string, limit: string, used: string) =>
      `Dein Tarif ${planName} enthält ${limit} Speicher. Deine Fotos belegen ${used}.`,
    storageWaits:
      'Neue Fotos, die nicht mehr passen, bleiben in deiner Upload-Liste. Sobald Platz ist, werden sie von selbst hochgeladen.',
    morePhotos: 'Wenn du vorher mehr Fotos brauchst, wähle einen größeren Tarif.',
    moreStorage: 'Lösche Fotos, die du nicht mehr brauchst, oder wähle einen größeren Tarif.',
    morePhotosThanAnyPlan: (address: string) => `Wenn du vorher mehr Fotos brauchst, schreib an ${address}.`,
    moreStorageThanAnyPlan: (address: string) =>
      `Lösche Fotos, die du nicht mehr brauchst. Wenn du mehr Speicher brauchst, schreib an ${address}.`,
    plans: 'Tarife ansehen',
    gallery: 'Galerie öffnen',
    settings: 'Zu den Einstellungen',
    reason: (host: string) =>
      `Du bekommst diese E-Mail, weil dein Konto bei ${host} an ein Limit seines Tarifs gekommen ist.`,
  },
  removal: {
    subject: (photos: number, count: string, when: string) =>
      photos === 1 ? `1 Foto wird am ${when} Uhr entfernt` : `${count} Fotos werden am ${when} Uhr entfernt`,
    preview: 'Lade alles herunter, wähle einen größeren Tarif, oder lösche Fotos, die du nicht mehr brauchst.',
    heading: (photos: number, count: string) =>
      photos === 1 ? 'Eines deiner Fotos wird entfernt' : `${count} deiner Fotos werden entfernt`,
    lead: (planName: string, limit: string, used: string) =>
      `Dein größerer Tarif ist ausgelaufen. Du hast jetzt ${planName} mit ${limit} Speicher, und deine Fotos belegen ${used}.`,
    removed: ({ photos, count, size, when }: { photos: number; count: string; size: string; when: string }) =>
      photos === 1
        ? `Am ${when} Uhr wird das älteste Foto (${size}) entfernt, damit die anderen passen. Seine Codes und Links funktionieren dann nicht mehr.`
        : `Am ${when} Uhr werden die ${count} ältesten Fotos (${size}) entfernt, damit die anderen passen. Ihre Codes und Links funktionieren dann nicht mehr.`,
    keep: (pricingUrl: string) =>
      `Um alle zu behalten, wähle einen größeren Tarif auf ${pricingUrl}, oder lösche vorher andere Fotos.`,
    archive:
      'Eine Kopie von allem in deinem Konto liegt bereit. Gib den Link nicht weiter: Wer ihn hat, kann die Datei öffnen.',
    noArchive: 'In den Einstellungen kannst du eine Kopie von allem in deinem Konto anfordern.',
    download: 'Alles herunterladen',
    expiry: (when: string) => `Der Link gilt bis ${when} Uhr.`,
    settings: 'Zu den Einstellungen',
    reason: (host: string) => `Du bekommst diese E-Mail, weil Fotos deines Kontos bei ${host} entfernt werden.`,
  },
  removed: {
    subject: (photos: number, count: string) =>
      photos === 1 ? '1 Foto wurde entfernt' : `${count} Fotos wurden entfernt`,
    preview: (when: string) => `Bis ${when} Uhr kannst du sie zurückholen.`,
    heading: (photos: number, count: string) =>
      photos === 1 ? 'Eines deiner Fotos wurde entfernt' : `${count} deiner Fotos wurden entfernt`,
    lead: (planName: string, limit: string, size: string) =>
      `Dein Tarif ${planName} enthält ${limit} Speicher. Die ältesten Fotos (${size}) wurden entfernt, damit die anderen passen.`,
    restore: (when: string) =>
      `Bis ${when} Uhr kannst du sie zurückholen: Wähle einen größeren Tarif, dann kommen sie von selbst wieder, oder schaff Platz und hol sie in den Einstellungen zurück. Danach werden sie gelöscht.`,
    button: 'Zu den Einstellungen',
    reason: (host: string) => `Du bekommst diese E-Mail, weil Fotos deines Kontos bei ${host} entfernt wurden.`,
  },
}
