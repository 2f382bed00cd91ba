/** Shows the API reference from this service's own OpenAPI document, with the viewer that the page loaded before. */
const publicUrl = document.querySelector('meta[name="public-url"]').content;

const dark = matchMedia('(prefers-color-scheme: dark)');
/** The viewer's dark colors depend on a class. */
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
  // The badge would send the document to another host.
  validatorUrl: null,
  // Otherwise the viewer reads its configuration from the address bar.
  queryConfigEnabled: false,
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  plugins: [globalThis.withoutNestedLinks],
  syntaxHighlight: { theme: 'nord' },
  layout: 'BaseLayout',
  // The document has the public URL. Requests from this page go to its own origin, which the policy requires and which
  // can be another name of the service (localhost, a tunnel). The shown curl command keeps the public URL.
  showMutatedRequest: false,
  requestInterceptor: (request) => {
    const isBelow = publicUrl !== '' && request.url.startsWith(`${publicUrl}/`);
    if (isBelow) request.url = new URL(request.url.slice(publicUrl.length + 1), document.baseURI).href;
    return request;
  },
});
