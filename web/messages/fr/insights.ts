import type { insights as english } from '../en/insights.ts'

/** Usage analytics, for plans that include them. */
export const insights: typeof english = {
  title: 'Statistiques',
  heading: 'Statistiques',
  lead: 'Sans cookies et sans données personnelles de vos invités.',
  range: 'Période',
  ranges: { 7: '7 jours', 30: '30 jours', 90: '90 jours' },
  measures: { scans: 'Scans', views: 'Vues', downloads: 'Téléchargements', requests: 'Demandes' },
  hints: {
    scans: 'des deux codes',
    views: 'des pages invités',
    downloads: 'en pleine résolution',
    requests: 'par e-mail',
  },
  tiles: {
    label: 'Totaux',
    conversion: 'Du scan à la photo',
    conversionHint: 'téléchargements et demandes pour 100 scans',
    peak: 'Heure de pointe',
    peakHint: 'avec le plus de scans',
    none: 'Pas encore',
  },
  chart: {
    heading: 'Jour par jour',
    measure: 'Ce que montre le graphique',
    summary: (measure, total, days) => `${measure}, ${days} : ${total}.`,
    most: (day, count) => `Maximum le ${day} : ${count}.`,
    point: (day, count) => `${day} : ${count}`,
    table: 'Les mêmes chiffres en tableau',
    caption: (days) => `Chiffres par jour, ${days}`,
    day: 'Jour',
  },
  best: {
    heading: 'Meilleures photos',
    order: 'Classées par total de téléchargements et de demandes, puis par scans.',
    photo: 'Photo',
  },
  inGallery: 'dans la galerie',
  empty: 'Pas encore de scans. Placez un code à la vue de vos invités et les chiffres apparaîtront ici.',
  emptyAction: 'Afficher la dernière photo',
  upgrade: {
    heading: 'Voyez ce que vos invités font de vos photos',
    lead: 'Scans, téléchargements et demandes pour chaque photo, jour par jour, avec vos meilleures photos et votre heure de pointe. Compris dans les formules Pro.',
    action: 'Voir les formules',
  },
  errors: { load: 'Les statistiques n’ont pas pu être chargées. Veuillez réessayer.' },
}
