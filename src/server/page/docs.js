/** Draws the reference from this service's own document. Uses the viewer's global, loaded just before. */
const publicUrl = document.querySelector('meta[name="public-url"]').content;

const dark = matchMedia('(prefers-color-scheme: dark)');
/** The viewer's dark colours hang on a class. */
function followScheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}
dark.addEventListener('change', followScheme);
followScheme();

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
  // The document names the public address; what is tried here goes to the origin of this page, which may be another name
  // of the same service (localhost, a tunnel) and is all that the policy allows. The shown command stays as documented.
  showMutatedRequest: false,
  requestInterceptor: (request) => {
    const isBelow = publicUrl !== '' && request.url.startsWith(`${publicUrl}/`);
    if (isBelow) request.url = new URL(request.url.slice(publicUrl.length + 1), document.baseURI).href;
    return request;
  },
});
