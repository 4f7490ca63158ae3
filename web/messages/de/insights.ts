import type { insights as english } from '../en/insights.ts'

export const insights: typeof english = {
  title: 'Statistik',
  heading: 'Statistik',
  lead: 'Gezählt ohne Cookies und ohne persönliche Daten deiner Gäste.',
  range: 'Zeitraum',
  ranges: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage' },
  measures: { scans: 'Scans', views: 'Aufrufe', downloads: 'Downloads', requests: 'Anfragen' },
  hints: {
    scans: 'beider Codes',
    views: 'von Gästeseiten',
    downloads: 'in voller Auflösung',
    requests: 'per E-Mail',
  },
  tiles: {
    label: 'Summen',
    conversion: 'Vom Scan zum Foto',
    conversionHint: 'Downloads und Anfragen pro 100 Scans',
    peak: 'Beste Stunde',
    peakHint: 'mit den meisten Scans',
    none: 'Noch keine',
  },
  chart: {
    heading: 'Tag für Tag',
    measure: 'Was das Diagramm zeigt',
    summary: (measure: string, total: string, days: string) => `${measure}, ${days}: ${total}.`,
    most: (day: string, count: string) => `Höchstwert am ${day}: ${count}.`,
    point: (day: string, count: string) => `${day}: ${count}`,
    table: 'Dieselben Zahlen als Tabelle',
    caption: (days: string) => `Zahlen pro Tag, ${days}`,
    day: 'Tag',
  },
  best: {
    heading: 'Beliebteste Fotos',
    order: 'Sortiert nach Downloads und Anfragen zusammen, dann nach Scans.',
    photo: 'Foto',
  },
  inGallery: 'in der Galerie',
  empty: 'Noch keine Scans. Zeig deinen Gästen einen Code, dann erscheinen hier die Zahlen.',
  emptyAction: 'Neuestes Foto zeigen',
  upgrade: {
    heading: 'Sieh, wie deine Fotos ankommen',
    lead: 'Scans, Downloads und Anfragen zu jedem Foto, Tag für Tag, mit deinen beliebtesten Fotos und deiner besten Stunde. In den Pro-Tarifen enthalten.',
    action: 'Tarife ansehen',
  },
  errors: { load: 'Die Statistik konnte nicht geladen werden. Bitte versuch es noch einmal.' },
}
