import type { usage as english } from '../en/usage.ts'

export const usage: typeof english = {
  heading: 'Dein Verbrauch diesen Monat',
  photos: 'Fotos',
  storage: 'Speicher',
  of: (used: string, most: string) => `${used} von ${most}`,
  photosLeft: (percent: string, left: string, until: string) => `${percent}, noch ${left} bis zum ${until}`,
  storageLeft: (percent: string, left: string) => `${percent}, noch ${left} frei`,
  counting: 'Fotos zählen ab dem 1. des Monats (UTC). Gelöschte zählen mit, fehlgeschlagene nicht.',
  yourPlan: (plan: string) => `Dein Tarif ist ${plan}.`,
  planUnknown: 'Was dein Tarif enthält, können wir gerade nicht sagen. Sobald wir es wissen, steht es hier.',
  left: (left: string, most: string, until: string) => `Noch ${left} von ${most} Fotos bis zum ${until}.`,
  monthNear: (used: string, left: string, until: string) =>
    `${used} Fotos dieses Monats sind verbraucht, noch ${left} bis zum ${until}.`,
  monthFull: (most: string, until: string) =>
    `Alle ${most} Fotos dieses Monats sind verbraucht. Weitere warten in der Upload-Liste und werden am ${until} von selbst hochgeladen, oder sobald du einen größeren Tarif hast.`,
  storageNear: (used: string, left: string) => `${used} Speicher sind belegt, ${left} noch frei.`,
  storageFull: (size: string) =>
    `Dein Speicher von ${size} ist voll. Fotos, die nicht mehr passen, warten in der Upload-Liste und werden von selbst hochgeladen, sobald du andere löschst oder einen größeren Tarif hast.`,
  plans: 'Tarife ansehen',
  gallery: 'Galerie öffnen',
  subscription: 'Verbrauch ansehen',
  hide: 'Bis 90\u00a0% ausblenden',
}
