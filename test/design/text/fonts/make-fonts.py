"""Makes the fonts of this folder, with fontTools and brotli. Every glyph is a box, so that drawn pixels can be told."""

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables.TupleVariation import TupleVariation

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,-"
NAMES = {ord(letter): f"u{ord(letter):04X}" for letter in LETTERS}
ORDER = [".notdef", "space", *NAMES.values()]


def box(pen, width):
    pen.moveTo((50, 0))
    pen.lineTo((50, 700))
    pen.lineTo((50 + width, 700))
    pen.lineTo((50 + width, 0))
    pen.closePath()


def glyph(width, is_cff):
    if is_cff:
        pen = T2CharStringPen(width + 100, None)
        box(pen, width)
        return pen.getCharString()
    pen = TTGlyphPen(None)
    box(pen, width)
    return pen.glyph()


def build(file, *, width, weight, italic=False, is_cff=False, axis=None, flavor=None):
    """`width` of the boxes in thousandths of an em: it tells the fonts apart."""
    builder = FontBuilder(1000, isTTF=not is_cff)
    builder.setupGlyphOrder(ORDER)
    builder.setupCharacterMap({0x20: "space", **NAMES})
    empty = T2CharStringPen(300, None).getCharString() if is_cff else TTGlyphPen(None).glyph()
    shapes = {name: glyph(width, is_cff) for name in ORDER} | {"space": empty}
    if is_cff:
        builder.setupCFF("Box", {"FullName": "Box"}, shapes, {})
    else:
        builder.setupGlyf(shapes)
    builder.setupHorizontalMetrics({name: (width + 100, 50) for name in ORDER} | {"space": (300, 0)})
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupNameTable({"familyName": "Box Sans", "styleName": "Italic" if italic else "Regular"})
    builder.setupOS2(usWeightClass=weight, fsSelection=1 if italic else 64, sCapHeight=700, sxHeight=700)
    if axis:
        builder.setupFvar([("wght", *axis, "Weight")], [])
        wider = [(0, 0), (0, 0), (400, 0), (400, 0), (0, 0), (400, 0), (0, 0), (0, 0)]
        builder.setupGvar({name: [TupleVariation({"wght": (0, 1, 1)}, wider)] for name in NAMES.values()})
    builder.setupPost(keepGlyphNames=False)
    builder.font.flavor = flavor
    builder.save(file)


build("Box-Regular.ttf", width=300, weight=400)
build("Box-Bold.otf", width=600, weight=700, is_cff=True)
build("Box-Italic.woff2", width=200, weight=400, italic=True, flavor="woff2")
build("Box-Variable.woff2", width=200, weight=300, axis=(300, 300, 800), flavor="woff2")
