// Draws a page's Mermaid blocks, with the library that `./dev site` puts beside this file.
const here = document.currentScript.src;
const blocks = document.querySelectorAll('pre.diagram');
if (blocks.length > 0) {
  const library = document.createElement('script');
  library.src = new URL('mermaid.tiny.js', here);
  library.onload = async () => {
    mermaid.initialize({startOnLoad: false});
    for (const [i, block] of blocks.entries()) {
      block.innerHTML = (await mermaid.render(`diagram-${i}`, block.textContent)).svg;
    }
  };
  document.head.append(library);
}
