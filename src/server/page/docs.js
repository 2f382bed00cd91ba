/** Draws the reference from this service's own document. Uses the viewer's global, loaded just before. */
globalThis.SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 1,
  // The badge would send the document to a validator on another host.
  validatorUrl: null,
  // The viewer would otherwise show values of the address bar as its own configuration.
  queryConfigEnabled: false,
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
});
